import type { Ctx } from '../../ctx.ts'
import { topics } from './names.ts'
import { parse } from './parse.ts'

/** What stands under `passthru` in a frame of an agent, or in one of ours that speaks like one (docs/wire/agents.md 7.2, 7.3). */
export type PassthruItem = Readonly<Record<string, unknown>>

/** An item on its way to browsers: it is large at times, and parsed only when it is read. */
export interface PassthruNews {
  readonly bytes: number
  /** It is a line of the terminal. */
  readonly isTerminal: boolean
  read(): PassthruItem
}

const OPENING = '{"passthru":'
/** The key of an item stands this far in at most. */
const FIRST_KEY = OPENING.length + 28

/** Says something of an agent to the browsers that show its printer. */
export function tellPassthru({ live }: Pick<Ctx, 'live'>, printerId: number, item: PassthruItem): void {
  live.publish(topics.passthru(printerId), `${OPENING}${JSON.stringify(item)}}`)
}

/** Calls `fn` with what the printer's agent says under `passthru` until the returned function is called. */
export async function onPassthru(
  { live }: Pick<Ctx, 'live'>,
  printerId: number,
  fn: (news: PassthruNews) => void,
): Promise<() => void> {
  return await live.subscribe(topics.passthru(printerId), (message) =>
    fn({
      bytes: message.length,
      isTerminal: message.subarray(0, FIRST_KEY).includes('"terminal_feed"'),
      read: () => parse<{ passthru: PassthruItem }>(message)?.passthru ?? {},
    }),
  )
}
