import { fieldsOf } from '@vigil/contract/fields.ts'
import { createHmac } from 'node:crypto'
import type { UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { NoAnswer, send } from '../../../engines/outgoing/send.ts'
import type { Edge } from '../../../http/edge.ts'
import { invalid, notFound } from '../../../http/errors.ts'
import { say } from '../channels/index.ts'
import { type SettingRow, upsertSetting } from './settings.queries.ts'
import { byKnownKey, currentKey } from '../../../lib/keyring.ts'
import { isSame } from '../../../lib/signing.ts'

const SCOPES = 'channels:read,chat:write,files:write,groups:read'
/** Who begins at Slack's page ends there within this time. */
const STATE_MS = 15 * 60_000

type Where = Pick<Edge, 'origin' | 'prefix'>

const backAt = ({ origin, prefix }: Where) => `${origin}${prefix}/slack_oauth_callback/`

const signed = (secret: string, userId: UserId, until: number) =>
  createHmac('sha256', secret).update(`slack:${userId}:${until}`).digest('base64url')

/** Slack's page, with a word by which we know again who was sent there. Raises 404 where Slack is not set up. */
export function slackAddress(ctx: Ctx, userId: UserId, edge: Where): string {
  const { SLACK_CLIENT_ID: id, SLACK_CLIENT_SECRET: secret } = ctx.config
  if (id === undefined || secret === undefined) throw notFound(say('channelNotSetUp'))
  const until = ctx.clock.now() + STATE_MS
  const query = new URLSearchParams({
    client_id: id,
    scope: SCOPES,
    redirect_uri: backAt(edge),
    state: `${until}.${signed(currentKey(ctx.config).secret, userId, until)}`,
  })
  return `https://slack.com/oauth/v2/authorize?${query.toString()}`
}

function isOurs(ctx: Ctx, userId: UserId, state: string): boolean {
  const [until = '', word = ''] = state.split('.')
  const isSigned = byKnownKey(ctx.config, (secret) => isSame(word, signed(secret, userId, Number(until))))
  return isSigned && Number(until) > ctx.clock.now()
}

/** Has Slack give us access for what it led back with, and sets the channel up. Raises 400 with why it did not. */
export async function installSlack(
  ctx: Ctx,
  userId: UserId,
  { code, state, edge }: { code: string; state: string; edge: Where },
): Promise<SettingRow> {
  const { SLACK_CLIENT_ID: id, SLACK_CLIENT_SECRET: secret } = ctx.config
  if (id === undefined || secret === undefined) throw invalid({ name: say('channelNotSetUp') })
  if (!isOurs(ctx, userId, state)) throw invalid({ state: say('slackState') })
  const body = new URLSearchParams({ client_id: id, client_secret: secret, code, redirect_uri: backAt(edge) })
  const answer = await send(ctx.config, {
    url: 'https://slack.com/api/oauth.v2.access',
    namedBy: 'vendor',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: body.toString(),
  }).catch((error: unknown) => {
    throw error instanceof NoAnswer ? invalid({ non_field_errors: say('tokenUnchecked') }) : error
  })
  const token = tokenIn(answer.text)
  if (token === null) throw invalid({ code: say('slackRefused') })
  const config = JSON.stringify({ access_token: token })
  return await upsertSetting(ctx.db, { userId, name: 'slack', config, now: new Date(ctx.clock.now()) })
}

function tokenIn(text: string): string | null {
  try {
    const { ok, access_token: token } = fieldsOf(JSON.parse(text))
    return ok === true && typeof token === 'string' ? token : null
  } catch {
    return null
  }
}
