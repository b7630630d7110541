import { setTimeout as sleep } from 'node:timers/promises'

interface Waiting<T, R> {
  readonly item: T
  readonly resolve: (result: R) => void
  readonly reject: (error: unknown) => void
}

interface Rounds {
  readonly atMost: number
  /** A round waits so long for others to come along: what each of them costs is shared by all. */
  readonly gatherMs: number
  readonly isOneItems: (error: unknown) => boolean
}

/**
 * Makes a function for one out of one for many: calls that come within `gatherMs`, and those that come while a
 * round is under way, go together into the next. `work` answers in the order of its items. When a round of several fails and `isOneItems` says that one of
 * them may be to blame, each is tried by itself; otherwise all of them have failed.
 */
export function batched<T, R>(
  work: (items: readonly T[]) => Promise<readonly R[]>,
  { atMost, gatherMs, isOneItems }: Rounds,
): (item: T) => Promise<R> {
  let waiting: Waiting<T, R>[] = []
  let isUnderWay = false

  const perform = async (round: readonly Waiting<T, R>[]): Promise<void> => {
    try {
      const results = await work(round.map(({ item }) => item))
      for (const [index, { resolve }] of round.entries()) resolve(results[index] as R)
    } catch (error) {
      if (round.length > 1 && isOneItems(error)) for (const one of round) await perform([one])
      else for (const { reject } of round) reject(error)
    }
  }
  const run = async (): Promise<void> => {
    isUnderWay = true
    while (waiting.length > 0) {
      await sleep(gatherMs)
      const round = waiting.slice(0, atMost)
      waiting = waiting.slice(atMost)
      await perform(round)
    }
    isUnderWay = false
  }
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!isUnderWay) void run()
    })
}
