import { type Fields, fieldsOf } from '@vigil/contract/fields.ts'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { NoticeKind } from '@vigil/contract/tell/notifications.ts'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { DeviceRow } from '../../people/devices/index.ts'
import { KINDS } from '../messages/index.ts'
import { ask, jsonOf, mustAccept } from './http.ts'
import { type Caller, type Channel, envVar, type Message, NotAccepted, say as sentence, say } from './port.ts'
import { codeOf } from '../../../lib/thrown.ts'

const TOKENS = 'https://oauth2.googleapis.com/token'
const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging'
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const HOUR_S = 3600
/** A token is not used in its last minute. */
const SPARE_S = 60

/** What Firebase gives as the key file of a service account. */
const account = z.object({
  project_id: z.string().regex(/^[\w:.-]+$/),
  client_email: z.string(),
  private_key: z.string(),
  private_key_id: z.string().optional(),
})
type Account = z.infer<typeof account>

/** A phone's app may call by this token, to send messages of this project. */
interface Access {
  readonly project: string
  readonly token: string
  /** It was refused: the next time another one is asked for. */
  forget(): void
}

const tokens = new LRUCache<string, { token: string; until: number }>({ max: 100 })

/** The account that a brand's apps were registered by; raises `NotAccepted`. */
async function accountOf({ env, user }: Caller): Promise<Account> {
  const file = join(env.FIREBASE_KEYS_FOLDER ?? '', `${user.brand}-firebase-admin-key.json`)
  try {
    return account.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    const code = codeOf(error)
    throw new NotAccepted(`the key file of ${user.brand} cannot be read: ${code || 'it is none of Firebase'}`)
  }
}

/** Says who we are by a token that is signed with our key, and is given one to call with. */
async function tokenFor(
  message: Caller,
  { client_email: email, private_key: key, private_key_id: id }: Account,
) {
  const { importPKCS8, SignJWT } = await import('jose')
  const now = Math.floor(message.now / 1000)
  const signed = await new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(id === undefined ? {} : { kid: id }) })
    .setIssuer(email)
    .setAudience(TOKENS)
    .setIssuedAt(now)
    .setExpirationTime(now + HOUR_S)
    .sign(await importPKCS8(key, 'RS256'))
  const body = new URLSearchParams({ grant_type: GRANT, assertion: signed })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const call = { url: TOKENS, namedBy: 'vendor', headers, body: body.toString() } as const
  const { access_token: token, expires_in: seconds } = jsonOf(mustAccept(await ask(message, call)))
  if (typeof token !== 'string') throw new NotAccepted(say('noToken'))
  const lasts = typeof seconds === 'number' ? seconds : HOUR_S
  return { token, until: message.now + (lasts - SPARE_S) * 1000 }
}

/** What calls to Firebase need; raises `NotAccepted`. */
async function accessTo(message: Caller): Promise<Access> {
  const found = await accountOf(message)
  const name = `${found.client_email} ${found.private_key_id ?? ''}`
  const known = tokens.get(name)
  const { token, until } = known && known.until > message.now ? known : await tokenFor(message, found)
  tokens.set(name, { token, until })
  return { project: found.project_id, token, forget: () => void tokens.delete(name) }
}

/** What the apps know by another name. */
const HEATERS: Partial<Record<NoticeKind, string>> = {
  HeaterTargetReached: 'ReachedTarget',
  HeaterCooledDown: 'CooledDown',
}
const EVENTS: ReadonlySet<NoticeKind> = new Set<NoticeKind>([
  'PrintStarted',
  'PrintDone',
  'PrintCancelled',
  'PrintPaused',
  'PrintResumed',
  'FilamentChange',
])

/** Firebase takes 4096 bytes, in which this stands twice, a letter of up to three. */
const BODY_MOST = 500

/** The phone has not our app any more, or not this one: Firebase's words for it. */
const GONE = new Set(['UNREGISTERED', 'SENDER_ID_MISMATCH'])

/** What an app shows, all of it text (docs/wire/tell.md 6); `plain` is for messages that the apps don't know. */
interface Told {
  readonly data: Readonly<Record<string, string>>
  readonly plain?: { readonly title: string; readonly body: string }
}

async function told(message: Message): Promise<Told> {
  const { notice, say } = message
  const { kind, printer, print, heater, firstLayer } = notice
  const printerId = String(printer.id)
  const picUrl = async () => (await message.pictureUrl()) ?? ''
  if (kind === 'PrintFailure') {
    const sign = notice.isWarning && !notice.printPaused ? '🟠' : '🔴'
    const words = say(notice.isWarning ? 'pushFishy' : 'pushFailing')
    const title = `${sign} ${words} | ${say(notice.printPaused ? 'pushPaused' : 'pushNotPaused')}`
    return { data: { type: 'failureAlert', title, body: print.filename, picUrl: await picUrl(), printerId } }
  }
  if (heater !== null) {
    const [what, degrees] = [say(`push${kind}`), Math.round(heater.actual)]
    const title = say('pushHeater', { heater: heater.name, degrees, what })
    const eventType = HEATERS[kind] ?? kind
    return { data: { type: 'heaterEvent', eventType, printerId, title, body: printer.name } }
  }
  if (firstLayer !== undefined) {
    const { grade, score } = firstLayer
    const title = `${say('pushFirstLayerReport', { grade })} | ${printer.name}`
    const report = { grade, score: String(score), title, body: print.filename, picUrl: await picUrl() }
    return { data: { type: 'firstLayerReport', printId: String(print.id), printerId, ...report } }
  }
  if (!EVENTS.has(kind)) {
    const { title, lines } = message.words()
    const plain = { title, body: lines.join('\n').slice(0, BODY_MOST) }
    return { data: { type: 'message', eventType: kind, printerId, ...plain }, plain }
  }
  const title = `${say(notice.code === 'print_lost' ? 'pushPrintLost' : `push${kind}`)} | ${printer.name}`
  const of = { printId: String(print.id), printerId }
  const shown = { title, body: print.filename, picUrl: await picUrl() }
  return { data: { type: 'printEvent', eventType: kind, ...of, ...shown } }
}

/** Firebase's own word for what was wrong, where it has one. */
function errorIn(text: Fields): string {
  const { status, details } = fieldsOf(text['error'])
  const found = Array.isArray(details) ? details.map(fieldsOf) : []
  const code = found.map(({ errorCode }) => errorCode).find((one) => typeof one === 'string')
  return String(code ?? status ?? '')
}

/** Raises `NotAccepted`; a phone that has not the app any more is forgotten. */
async function toOne(
  message: Caller,
  phone: DeviceRow,
  { project, token, forget }: Access,
  { data, plain, worthMs }: Told & { readonly worthMs: number },
) {
  const body = {
    message: {
      token: phone.deviceToken,
      data,
      ...(plain ? { notification: plain } : {}),
      android: {
        priority: 'HIGH',
        ttl: `${worthMs / 1000}s`,
        // Of messages with a key Firebase keeps four for a phone that is away: progress alone may be lost.
        ...(data['type'] === 'printProgress' ? { collapse_key: `progress:${data['printId']}` } : {}),
      },
      apns: {
        headers: {
          ...(plain
            ? { 'apns-push-type': 'alert', 'apns-priority': '10' }
            : { 'apns-push-type': 'background', 'apns-priority': '5' }),
          'apns-expiration': String(Math.floor((message.now + worthMs) / 1000)),
        },
        payload: { aps: { ...(plain ? {} : { 'content-available': 1 }), category: 'post' } },
      },
    },
  }
  const answer = await ask(message, {
    url: `https://fcm.googleapis.com/v1/projects/${project}/messages:send`,
    namedBy: 'vendor',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const said = errorIn(jsonOf(answer))
  // Of Apple, and no matter of ours with Google.
  if (answer.status === 401 && said !== 'THIRD_PARTY_AUTH_ERROR') {
    forget()
    throw new NotAccepted(sentence('firebaseToken'))
  }
  const isNoToken = said === 'INVALID_ARGUMENT' && /registration token/i.test(answer.text)
  if (GONE.has(said) || isNoToken) await message.devices.forgetPhone(phone.id)
  mustAccept(answer, said)
}

/** To each phone of somebody; one that has it is enough. */
async function post(message: Message): Promise<void> {
  const phones = await message.devices.phones()
  if (phones.length === 0) throw new NotAccepted(sentence('noPhone'), { isFinal: true })
  const [access, what] = await Promise.all([accessTo(message), told(message)])
  const { worthMs } = KINDS[message.notice.kind]
  const outcomes = await Promise.allSettled(
    phones.map((phone) => toOne(message, phone, access, { ...what, worthMs })),
  )
  const reasons = outcomes.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []))
  if (reasons.length < outcomes.length) return
  // Trying again is worth it while it is for one of them.
  throw reasons.find((reason) => !(reason instanceof NotAccepted && reason.isFinal)) ?? reasons[0]
}

/** Shows phones how a print gets on: tried once, worth nothing after `worthMs`. Raises nothing of a phone that it does not reach. */
export async function pushProgress(
  caller: Caller,
  phones: readonly { readonly phone: DeviceRow; readonly data: Told['data'] }[],
  worthMs: number,
): Promise<void> {
  const access = await accessTo(caller)
  await Promise.allSettled(phones.map(({ phone, data }) => toOne(caller, phone, access, { data, worthMs })))
}

/** Phones with our app, by Firebase (docs/wire/tell.md 3, 6). Who has a phone has it from then on. */
export const channel: Channel = {
  name: 'mobile',
  envVars: (env) => ({ FIREBASE_KEYS_FOLDER: envVar(env.FIREBASE_KEYS_FOLDER) }),
  validateConfig: () => ({}),
  destination: () => 'fcm.googleapis.com',
  sendFailureAlert: post,
  sendPrinterNotification: post,
  sendTestMessage: post,
}
