import type { SwitchesWrite } from '@vigil/contract/tell/notifications.ts'
import type { UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { send } from '../../../engines/outgoing/send.ts'
import { AppError, invalid, notFound } from '../../../http/errors.ts'
import { type Limit, spend } from '../../../http/limits.ts'
import { entitlementsOf } from '../../shop/entitlements/index.ts'
import { type Channel, CHANNELS, isSetUp, type Message, NotAccepted, say } from '../channels/index.ts'
import {
  findRecipient,
  insertEnded,
  markFailing,
  markWorks,
  messageOf,
  problemOf,
  problemText,
  sendBy,
} from '../outbox/index.ts'
import * as queries from './settings.queries.ts'
import type { SettingRow } from './settings.queries.ts'
import { columnsOf, TEST_NOTICE } from './settings.rules.ts'

/** Tests, and checks that ask somebody's server: nobody sends through us what they like. What is only read costs no try. */
const TRIES: Limit = { name: 'channel-tries', tries: 20, windowMs: 10 * 60_000 }
const TEST_MS = 12_000

/** The channels of somebody that this server has. */
export async function listSettings(ctx: Ctx, userId: UserId): Promise<SettingRow[]> {
  const rows = await queries.settingsOf(ctx.db, userId)
  return rows.filter(({ name }) => CHANNELS.has(name))
}

/** One of them; raises 404. */
export async function requireSetting(ctx: Ctx, userId: UserId, id: number): Promise<SettingRow> {
  const row = await queries.findSetting(ctx.db, userId, id)
  if (row === undefined || !CHANNELS.has(row.name)) throw notFound()
  return row
}

/** A channel by its name, set up on this server; raises 400. */
function channelNamed(ctx: Ctx, name: string): Channel {
  const channel = CHANNELS.get(name)
  if (channel === undefined) throw invalid({ name: say('unknownChannel', { name }) })
  if (!isSetUp(channel, ctx.config)) throw invalid({ name: say('channelNotSetUp') })
  return channel
}

async function checked(ctx: Ctx, userId: UserId, channel: Channel, given: Record<string, unknown>) {
  const payer = await queries.findPayer(ctx.db, userId)
  const cleaned = await channel.validateConfig(given, {
    env: ctx.config,
    user: { id: userId, hasSms: entitlementsOf(ctx, payer).sms },
    http: async (call) => {
      await spend(ctx, { limit: TRIES, who: String(userId) })
      return await send(ctx.config, call)
    },
  })
  return JSON.stringify(cleaned)
}

/** Sets up a channel. Raises 400 for one that is unknown, set up already, or wrongly configured. */
export async function createSetting(
  ctx: Ctx,
  userId: UserId,
  { name, config, ...switches }: SwitchesWrite & { name: string; config: Record<string, unknown> },
): Promise<SettingRow> {
  const channel = channelNamed(ctx, name)
  const twice = () => invalid({ non_field_errors: say('duplicateChannel') })
  if ((await queries.settingsOf(ctx.db, userId)).some((row) => row.name === name)) throw twice()
  const columns = { config: await checked(ctx, userId, channel, config), ...columnsOf(switches) }
  const row = await queries.insertSetting(ctx.db, { userId, name, ...columns })
  if (row === undefined) throw twice()
  return row
}

/** Changes a channel; another name is another channel, and refused. */
export async function changeSetting(
  ctx: Ctx,
  userId: UserId,
  id: number,
  write: SwitchesWrite & { name?: string | undefined; config?: Record<string, unknown> | undefined },
): Promise<SettingRow> {
  const before = await requireSetting(ctx, userId, id)
  const { name = before.name, config, ...switches } = write
  if (name !== before.name) throw invalid({ name: say('unknownChannel', { name }) })
  const channel = channelNamed(ctx, name)
  const isOther = config !== undefined && JSON.stringify(config) !== JSON.stringify(before.config)
  const after = await queries.updateSetting(ctx.db, before.id, {
    ...columnsOf(switches),
    // Where it goes now, nothing has arrived yet.
    ...(isOther
      ? {
          config: await checked(ctx, userId, channel, config),
          acceptedAt: null,
          refusedAt: null,
          refusal: null,
        }
      : {}),
    updatedAt: new Date(ctx.clock.now()),
  })
  if (after === undefined) throw notFound()
  return after
}

/** Removes a channel; what is still owed to it is withdrawn. */
export async function removeSetting(ctx: Ctx, userId: UserId, id: number): Promise<void> {
  await queries.deleteSetting(ctx.db, (await requireSetting(ctx, userId, id)).id)
}

const failed = (detail: unknown) => new AppError(418, { status: 'error', detail })

/** Sends a message now. Raises 418 with why it was not accepted. */
export async function sendTest(ctx: Ctx, userId: UserId, settingId: number): Promise<void> {
  const { name, id } = await requireSetting(ctx, userId, settingId)
  await spend(ctx, { limit: TRIES, who: String(userId) })
  const channel = CHANNELS.get(name)
  const to = await findRecipient(ctx.db, id)
  if (channel === undefined || to === undefined) throw notFound()
  if (!isSetUp(channel, ctx.config)) throw failed(say('channelNotSetUp'))
  const begunAt = new Date(ctx.clock.now())
  const key = `test:${id}:${begunAt.getTime()}`
  const signal = AbortSignal.timeout(TEST_MS)
  const problem = await tryOut(ctx, channel, messageOf(ctx, to, { notice: TEST_NOTICE, key, signal }))
  const endedAt = new Date(ctx.clock.now())
  const outcome = problem === null ? 'accepted' : 'refused'
  const begun = { userId, settingId: id, channel: name, key, notice: TEST_NOTICE, begunAt }
  await insertEnded(ctx.db, { ...begun, outcome, problem, endedAt })
  if (problem === null) await markWorks(ctx.db, id, endedAt)
  else await markFailing(ctx.db, id, { now: endedAt, refusal: problem })
  if (problem !== null) throw failed(problemText(problem))
}

/** Why a message was not accepted, or null. */
async function tryOut(ctx: Ctx, channel: Channel, message: Message): Promise<string | null> {
  try {
    const sending = sendBy(channel, message)
    if (sending === undefined) throw new NotAccepted(say('noTestMessage'), { isFinal: true })
    await sending
    return null
  } catch (error) {
    if (!(error instanceof NotAccepted))
      ctx.log.error({ err: error, channel: channel.name }, 'a channel failed')
    return problemOf(error)
  }
}
