import type { Ctx } from '../../../ctx.ts'
import type { Line, Receiver } from '../agents/index.ts'
import { offerAnswer, tellPassthru } from '../presence/index.ts'

/** Every browser of the printer hears what is smaller; a larger answer is fetched by who waits for it. */
const LARGE = 65_536
/** Who waits for an answer fetches it at once. */
const OFFERED_MS = 10_000
/** Large answers of one agent that are offered at a time: a frame is 16 MB at most. */
const MAX_OFFERED = 4

/** Takes what an agent puts under `passthru` to the browsers that show its printer. */
export function openPassthru(ctx: Ctx, { printerId }: Line): Receiver<'passthru'> {
  const offers = new Set<() => void>()

  function offer(ref: unknown, item: object): void {
    for (const withdraw of offers) if (offers.size >= MAX_OFFERED) withdraw()
    const text = Buffer.from(JSON.stringify(item))
    const offered = offerAnswer(ctx, printerId, ref, text)
    const withdraw = () => {
      clearTimeout(timer)
      offers.delete(withdraw)
      offered.then((stop) => stop()).catch(() => undefined)
    }
    const timer = setTimeout(withdraw, OFFERED_MS).unref()
    offers.add(withdraw)
    offered.catch((error: unknown) => {
      withdraw()
      ctx.log.warn({ err: error, printerId }, 'a large answer could not be offered')
    })
  }

  return {
    hear({ item }, { data }) {
      const ref = item['ref'] ?? null
      if (data.length <= LARGE) tellPassthru(ctx, printerId, item)
      // A terminal line is short; a picture comes only as an answer.
      else if (ref !== null) offer(ref, item)
    },
    leave() {
      for (const withdraw of offers) withdraw()
    },
  }
}
