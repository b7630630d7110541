import { detectionSeconds } from '../../../engines/metrics/index.ts'
import { ofServer } from '../../../lib/of-server.ts'

/** What the detector's histogram had counted at a moment: verdicts, their seconds, and how many were as fast as each bound. */
interface Sample {
  readonly at: number
  readonly count: number
  readonly seconds: number
  readonly within: ReadonlyMap<number, number>
}

/** So long the page looks back, and so often what it looks back at is noted. */
export const LOOK_BACK_MS = 300_000
export const NOTED_EVERY_MS = 30_000

const samplesOf = ofServer((): Sample[] => [])

async function sampleNow(now: number): Promise<Sample> {
  const { values } = await detectionSeconds.get()
  const sum = (name: string) =>
    values.find(({ metricName }) => metricName === `vigil_detection_seconds_${name}`)
  const bounds = values.flatMap(({ labels, value }) =>
    labels.le === undefined ? [] : [[Number(labels.le === '+Inf' ? Infinity : labels.le), value] as const],
  )
  return {
    at: now,
    count: sum('count')?.value ?? 0,
    seconds: sum('sum')?.value ?? 0,
    within: new Map(bounds),
  }
}

/** Notes how the detector did until now; what is older than the page looks back is forgotten. */
export async function noteDelays(ctx: { readonly live: object }, now: number): Promise<void> {
  const samples = samplesOf(ctx)
  samples.push(await sampleNow(now))
  while (samples.length > 1 && (samples[0]?.at ?? 0) < now - LOOK_BACK_MS) samples.shift()
}

/** How long pictures waited for their verdict of late, in seconds: on average, and what nineteen of twenty were within; null: none came. */
export async function delays(ctx: { readonly live: object }, now: number) {
  const last = await sampleNow(now)
  const first = samplesOf(ctx)[0]
  const count = last.count - (first?.count ?? 0)
  if (count <= 0) return { delay: null, slow: null }
  const bounds = [...last.within].toSorted(([a], [b]) => a - b)
  const slow = bounds.find(([bound, within]) => within - (first?.within.get(bound) ?? 0) >= 0.95 * count)?.[0]
  return {
    delay: (last.seconds - (first?.seconds ?? 0)) / count,
    slow: slow === undefined || slow === Infinity ? null : slow,
  }
}
