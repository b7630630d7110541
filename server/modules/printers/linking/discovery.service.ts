import type { Announcement } from '@vigil/contract/printers/linking.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Edge } from '../../../http/edge.ts'
import { AppError, notFound } from '../../../http/errors.ts'
import { isFirst, spend } from '../../../http/limits.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { markHanded } from './codes.service.ts'
import { findOpenCodeOf } from './linking.queries.ts'
import {
  householdOf,
  CODE_LIFE_MS,
  listing,
  MATCH_LIFE_MS,
  MESSAGE_LIFE_MS,
  mostShown,
  newPasscode,
  PRESENCE_MS,
} from './linking.rules.ts'

const POLLS = { name: 'discovery', tries: 3600, windowMs: 3_600_000 }
const PASSCODES = { name: 'passcode', tries: 5, windowMs: 60_000 }

const presenceKey = (household: string) => `discovery:${household}:device:`
const messageKey = (household: string, deviceId: string) => `discovery:${household}:message:${deviceId}`
const passcodeKey = (passcode: string) => `otp:${passcode}`

/** What stands behind a passcode: the agent that got it, and the 6-digit code once an owner typed it. */
interface Passcode {
  readonly deviceId: string
  readonly code: string
}

interface Poll {
  readonly device_id: string
  readonly one_time_passcode?: string | null | undefined
}

/**
 * An unlinked agent's poll: registers it for the browsers of its household, hands over at most one message (two
 * at once are both lost on the Klipper agent) and answers for its passcode (docs/wire/agents.md 2.2, 2.4).
 */
export async function poll(ctx: Ctx, edge: Edge, body: Poll & Record<string, unknown>) {
  const household = householdOf(edge)
  await spend(ctx, { limit: POLLS, who: `${edge.address}:${body.device_id}` })
  const waiting = household === null ? null : await ctx.live.take(messageKey(household, body.device_id))
  const message = waiting && (JSON.parse(waiting.toString()) as { code: string; secret: string })
  const messages = message ? [{ device_id: body.device_id, type: 'verify_code' as const, data: message }] : []
  const passcode =
    typeof body.one_time_passcode === 'string'
      ? await answerPasscode(ctx, edge, body.device_id, body.one_time_passcode)
      : null
  const handed = [message?.code ?? '', passcode?.verification_code ?? ''].filter((code) => code !== '')
  for (const code of handed) await markHanded(ctx, code, edge)
  await show(ctx, household, body, handed.length === 0)
  return { messages, ...passcode }
}

/** Lists an agent for its household's browsers; one that has a code now announces itself no more and goes at once. */
async function show(
  ctx: Ctx,
  household: string | null,
  body: Poll & Record<string, unknown>,
  isWaiting: boolean,
): Promise<void> {
  const shown = ctx.config.DISCOVERY_ENABLED ? listing(body) : null
  if (!shown || household === null) return
  const value = isWaiting ? JSON.stringify(shown) : null
  await ctx.live.put(presenceKey(household) + body.device_id, value, PRESENCE_MS)
}

async function answerPasscode(ctx: Ctx, edge: Edge, deviceId: string, given: string) {
  const known = given === '' ? null : await readPasscode(ctx, given)
  const isOwn = known !== null && known.deviceId === deviceId
  const passcode = isOwn ? given : await mintPasscode(ctx, deviceId)
  return {
    one_time_passcode: passcode,
    one_time_passlink: `${edge.origin}${edge.prefix}/printers/wizard/link/klipper-generic/?one_time_passcode=${passcode}`,
    verification_code: isOwn ? known.code : '',
  }
}

async function readPasscode(ctx: Ctx, passcode: string): Promise<Passcode | null> {
  const stored = await ctx.live.get(passcodeKey(passcode))
  return stored && (JSON.parse(stored.toString()) as Passcode)
}

async function mintPasscode(ctx: Ctx, deviceId: string): Promise<string> {
  let passcode = newPasscode()
  while ((await readPasscode(ctx, passcode)) !== null) passcode = newPasscode()
  await ctx.live.put(
    passcodeKey(passcode),
    JSON.stringify({ deviceId, code: '' } satisfies Passcode),
    CODE_LIFE_MS,
  )
  return passcode
}

/** The owner typed what the printer shows: binds it to their own open code, once (docs/wire/agents.md 2.4). */
export async function matchPasscode(
  ctx: Ctx,
  principal: UserPrincipal,
  typed: { passcode: string; code: string },
): Promise<void> {
  await spend(ctx, { limit: PASSCODES, who: String(principal.userId) })
  const passcode = typed.passcode.trim().toLowerCase()
  const known = await readPasscode(ctx, passcode)
  const own = await findOpenCodeOf(ctx.db, principal.userId, typed.code, new Date(ctx.clock.now()))
  if (known === null || known.code !== '' || own === undefined) throw notFound('Not Found')
  if (!(await isFirst(ctx, `${passcodeKey(passcode)}:claims`, CODE_LIFE_MS))) throw notFound('Not Found')
  await ctx.live.put(passcodeKey(passcode), JSON.stringify({ ...known, code: typed.code }), MATCH_LIFE_MS)
}

/** Unlinked printers of the caller's household; nobody when a public address shows too many (docs/wire/agents.md 2.3). */
export async function listDiscovered(ctx: Ctx, edge: Edge): Promise<Announcement[]> {
  const household = householdOf(edge)
  if (!ctx.config.DISCOVERY_ENABLED || household === null) return []
  const found = await ctx.live.list(presenceKey(household))
  if (found.size > mostShown(household)) return []
  return [...found.values()].map((stored) => JSON.parse(stored.toString()) as Announcement)
}

/** Why a browser at this edge may see no printers on its network, for the wizard to say. */
export async function discoveryAt(
  ctx: Ctx,
  edge: Edge,
): Promise<'on' | 'off' | 'unknown_network' | 'crowded'> {
  if (!ctx.config.DISCOVERY_ENABLED) return 'off'
  const household = householdOf(edge)
  if (household === null) return 'unknown_network'
  const found = await ctx.live.list(presenceKey(household))
  return found.size > mostShown(household) ? 'crowded' : 'on'
}

/** Queues the hand-shake for an agent of the caller's household, with a code of the caller's own. */
export async function queueHandshake(
  ctx: Ctx,
  { principal, edge }: { principal: UserPrincipal; edge: Edge },
  {
    code,
    device_id,
    device_secret,
  }: { code?: string | undefined; device_id?: string | undefined; device_secret?: string | undefined },
): Promise<void> {
  if (!code) throw new AppError(400, { code: 'missing param' })
  if (device_id?.length !== 32)
    throw new AppError(400, { device_id: device_id ? 'invalid param' : 'missing param' })
  if (!device_secret) throw new AppError(400, { device_secret: 'missing param' })
  const own = await findOpenCodeOf(ctx.db, principal.userId, code, new Date(ctx.clock.now()))
  if (own === undefined) throw new AppError(400, { code: 'invalid or expired code' })
  const message = JSON.stringify({ code, secret: device_secret })
  const household = householdOf(edge)
  if (household !== null) await ctx.live.put(messageKey(household, device_id), message, MESSAGE_LIFE_MS)
}
