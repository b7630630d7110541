import type { PrinterId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Lease } from '../../../engines/live/port.ts'
import { keys, topics } from './names.ts'
import { parse } from './parse.ts'

type Live = Pick<Ctx, 'live'>

const LEASE_TTL_MS = 60_000
/** The silenced agent has one attempt left, which is refused in this time (docs/wire/agents.md 8.2 c). */
const SILENCED_MS = 180_000

/** Takes the printer's line for a socket by this name: whoever held it finds out as it renews. */
export async function claimLine({ live }: Live, printerId: PrinterId, owner: string): Promise<Lease> {
  return await live.claim(keys.socket(printerId), owner, LEASE_TTL_MS)
}

/** The name of the socket that speaks for the printer's agent; null when none does. */
export async function lineOwner({ live }: Live, printerId: PrinterId): Promise<string | null> {
  return (await live.get(keys.socket(printerId)))?.toString() ?? null
}

/** Sends a sealed envelope to the holder of the line of this epoch; null when no answer comes within `ms`. */
export async function askLine(
  { live }: Live,
  { printerId, epoch }: { printerId: PrinterId; epoch: number },
  envelope: object,
  ms: number,
): Promise<unknown> {
  return parse<unknown>(await live.request(topics.agent(printerId, epoch), JSON.stringify(envelope), ms))
}

/** Answers envelopes as the holder of this epoch, until the returned function is called. */
export async function answerOnLine(
  { live }: Live,
  { printerId, epoch }: { printerId: PrinterId; epoch: number },
  fn: (envelope: unknown) => Promise<object>,
): Promise<() => void> {
  return await live.respond(topics.agent(printerId, epoch), async (message) =>
    JSON.stringify(await fn(parse<unknown>(message))),
  )
}

/** Closes every socket of the printer's agent, on all nodes, at once; never with 4321 (docs/wire/agents.md 8.2). */
export function disconnectAgent({ live }: Live, printerId: PrinterId, why: string): void {
  live.publish(topics.agentControl(printerId), JSON.stringify({ close: why }))
}

/** Calls `fn` when the agent's sockets are to close, until the returned function is called. */
export async function onDisconnect(
  { live }: Live,
  printerId: PrinterId,
  fn: (why: string) => void,
): Promise<() => void> {
  return await live.subscribe(topics.agentControl(printerId), (message) =>
    fn(parse<{ close: string }>(message)?.close ?? ''),
  )
}

/** A second agent with the printer's token is turned away for a while. */
export async function silence({ live }: Live, printerId: PrinterId): Promise<void> {
  await live.put(keys.silenced(printerId), '1', SILENCED_MS)
}

export async function isSilenced({ live }: Live, printerId: PrinterId): Promise<boolean> {
  return (await live.get(keys.silenced(printerId))) !== null
}

/** Nobody is turned away any more. */
export async function unsilence({ live }: Live, printerId: PrinterId): Promise<void> {
  await live.put(keys.silenced(printerId), null, 0)
}

/** This node has a browser that shows the printer, until the returned function is called. */
export async function beViewer({ live }: Live, printerId: PrinterId): Promise<() => void> {
  return await live.respond(topics.viewers(printerId), async () => '1')
}

/** Whether any browser, on any node, shows this printer. */
export async function hasViewers({ live }: Live, printerId: PrinterId): Promise<boolean> {
  return (await live.request(topics.viewers(printerId), '', 1_000)) !== null
}
