import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { pino } from 'pino'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { inSuite } from '../../scripts/suites.ts'
import type { RouteRow } from '../http/route.ts'
import { hashOf } from '../lib/signing.ts'
import type { HouseholdRole } from '@vigil/contract/people/household.ts'
import { createAccessToken } from '../modules/people/accounts/index.ts'
import { visitAt } from '../modules/remote/doors/doors.fixture.ts'
import { aPrinter, aUser, buildTestApp, call, PASSWORD, type TestApp, type TestUser } from './app.ts'
import { eventually } from './eventually.ts'
import { letIn } from './household.ts'
import { asId } from './ids.ts'
import { aTetrahedron } from './meshes.ts'

/** Who calls. `stranger` is signed in, but owns nothing of what is asked for. */
const PRINCIPALS = [
  'anonymous',
  'owner',
  'stranger',
  // may do more than others, and nothing to what is others'
  'admin',
  // of the owner's household: may see, act on prints, or change all that is not the account itself
  'viewer',
  'operator',
  'household owner',
  'oauth',
  'slicer',
  // API keys of the owner, by how far they reach: for all printers,
  'read key',
  'operate key',
  'manage key',
  // for this printer alone, and for another alone; both reach farthest
  'printer key',
  'other key',
  'agent',
  // of another owner's printer
  'other agent',
  // who has the link that shares this very printer, and hands its word in as if it were a token
  'share link',
  'unknown token',
  'unknown bearer',
] as const
/** With the password of a tunnel to this printer: it counts on sockets alone. */
const ON_SOCKETS = [...PRINCIPALS, 'app'] as const
type Principal = (typeof ON_SOCKETS)[number]

/** `in` is the route's own success; a number is the exact refusal. */
type Verdict = 'in' | 302 | 401 | 403 | 404 | 405 | 503
type Verdicts = Record<Principal, Verdict>

/** What stands behind one call: made anew for each that is let in and names something of it, so that no call spoils the next. */
interface World {
  readonly owner: TestUser
  readonly stranger: TestUser
  readonly admin: TestUser
  readonly otherAgentToken: string
  readonly printerId: number
  readonly agentToken: string
  readonly slicerToken: string
  /** Somebody of the owner's household, who is made when first asked for. */
  readonly member: (role: HouseholdRole) => Promise<TestUser>
}

interface Row {
  readonly verdicts: Verdicts
  /** The path to ask for; the route's own when it has no parameters. */
  readonly at?: (world: World) => string | Promise<string>
  readonly body?: object | ((world: World) => object | Promise<object>)
  /** The status that means `in`, where a well-formed call finds nothing here. */
  readonly success?: number
  /** People of their own for each call: it ends sessions. */
  readonly fresh?: boolean
}

const verdicts = (common: Verdict, others: Partial<Verdicts>): Verdicts => ({
  anonymous: common,
  owner: common,
  stranger: common,
  admin: others.stranger ?? common,
  viewer: others.stranger ?? common,
  operator: others.stranger ?? common,
  'household owner': others.stranger ?? common,
  oauth: common,
  slicer: common,
  'read key': common,
  'operate key': common,
  'manage key': common,
  'printer key': common,
  'other key': common,
  agent: common,
  'other agent': others.agent ?? common,
  'share link': others['unknown token'] ?? 401,
  'unknown token': 401,
  'unknown bearer': 403,
  app: others.anonymous ?? common,
  ...others,
})

/** And API keys that reach as far as `scope`; those for some printers alone only where it is about printers. */
function keyed(scope: 'read' | 'operate' | 'manage', row: Verdicts, about?: 'account'): Verdicts {
  const reach = ['read', 'operate', 'manage']
  const far = (one: string): Verdict => (reach.indexOf(one) < reach.indexOf(scope) ? 403 : 'in')
  const narrow = about === 'account' ? 403 : 'in'
  return {
    ...row,
    'read key': far('read'),
    'operate key': far('operate'),
    'manage key': far('manage'),
    'printer key': narrow,
    // what hangs on a printer that it is not for does not exist
    'other key': narrow === 'in' && row.stranger === 404 ? 404 : narrow,
  }
}

/** And members of the owner's household, from this role on. */
function housed(role: HouseholdRole, row: Verdicts): Verdicts {
  const rank = ['viewer', 'operator', 'owner']
  const may = (one: HouseholdRole): Verdict => (rank.indexOf(one) < rank.indexOf(role) ? row.stranger : 'in')
  return { ...row, viewer: may('viewer'), operator: may('operator'), 'household owner': may('owner') }
}

/** Nobody asks who is calling, not even about a wrong credential. */
const OPEN = verdicts('in', { 'unknown token': 'in', 'unknown bearer': 'in' })
/** Anyone; a credential that is given must be right. */
const ANYONE = verdicts('in', {})
/** People, each for themselves. */
const PEOPLE = verdicts(403, { owner: 'in', stranger: 'in', oauth: 'in' })
/** And slicers, for their user. */
const AND_SLICERS = verdicts(403, { owner: 'in', stranger: 'in', oauth: 'in', slicer: 'in' })
/** Slicers, and tokens that may do everything. */
const SLICERS = verdicts(403, { oauth: 'in', slicer: 'in' })
/** The owner of the thing in the path; to others it does not exist. */
const OWNER = verdicts(403, { owner: 'in', stranger: 404, oauth: 'in' })
const LEGACY = verdicts(403, { owner: 405, stranger: 405, oauth: 'in' })
/** A browser only. */
const BROWSER = verdicts(403, { owner: 'in', stranger: 'in' })
/** Administrators in a browser. */
const ADMINS = verdicts(403, { admin: 'in' })
/** Owners of an account's household, in a browser. */
const HOUSEHOLD = verdicts(403, { owner: 'in', stranger: 404, 'household owner': 'in' })
/** The agent of a printer. */
const AGENT = verdicts(401, { agent: 'in' })

let app: TestApp
let counter = 0
/** All that was written down, and what may stand nowhere in it: credentials, and what goes by that name in paths and bodies. */
const said: string[] = []
const secrets = new Set<string>()
const SECRET_FIELD = /token|password|passcode|secret|code|key/i

const own =
  (rest = '') =>
  ({ printerId }: World) =>
    `/api/v1/printers/${printerId}/${rest}`
const credentials = () => ({ email: `new${++counter}@example.org`, password: PASSWORD })

async function picture(name = 'pic'): Promise<FormData> {
  const jpeg = await sharp({ create: { width: 64, height: 48, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer()
  const form = new FormData()
  form.set(name, new Blob([new Uint8Array(jpeg)]), 'x.jpg')
  return form
}

async function aPrint({ owner, printerId }: World): Promise<string> {
  const { id } = await app.ctx.db
    .insertInto('prints')
    .values(asId({ userId: owner.id, printerId, filename: 'cube.gcode' }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return `/api/v1/prints/${id}/`
}

const printBy =
  (rest: string) =>
  async (world: World): Promise<string> =>
    (await aPrint(world)) + rest

/** A picture of a judged first layer. */
async function aLayerImage(world: World): Promise<number> {
  const printId = Number((await aPrint(world)).split('/').at(-2))
  const inspection = await app.ctx.db
    .insertInto('firstLayerInspections')
    .values(asId({ printId, judgedAt: new Date(), score: 70 }))
    .returning('id')
    .executeTakeFirstOrThrow()
  const image = await app.ctx.db
    .insertInto('firstLayerImages')
    .values({
      inspectionId: inspection.id,
      picture: JSON.stringify({ container: 'tsd-pics', path: 'first_layer/1/1/x.jpg' }),
      hash: 'x',
      takenAt: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return image.id
}
const layerImage = async (world: World) =>
  `/api/v1/first_layer_inspection_images/${await aLayerImage(world)}/`

/** A picture of a print that its owner is asked about. */
async function aShot(world: World): Promise<string> {
  const printId = Number((await aPrint(world)).split('/').at(-2))
  const image = JSON.stringify({ container: 'tsd-pics', path: 'ff_printshots/1/1/x.jpg' })
  const { id } = await app.ctx.db
    .insertInto('printShotFeedbacks')
    .values(asId({ printId, image, takenAt: new Date() }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return `/api/v1/printshotfeedbacks/${id}/`
}

/** Another device of the owner's. */
async function aSession({ owner }: World): Promise<string> {
  const made = {
    userId: owner.id,
    tokenHash: randomBytes(32),
    remember: true,
    expiresAt: new Date(Date.now() + 60_000),
  }
  const { id } = await app.ctx.db
    .insertInto('sessions')
    .values(made)
    .returning('id')
    .executeTakeFirstOrThrow()
  return `/api/v1/auth/sessions/${id}/`
}

const credential = { id: 'x', rawId: 'x', type: 'public-key', clientExtensionResults: {} }
const passkeyAnswer = {
  key: 'x',
  response: { ...credential, response: { clientDataJSON: 'x', authenticatorData: 'x', signature: 'x' } },
}
const passkeyMade = {
  key: 'x',
  name: 'Laptop',
  response: { ...credential, response: { clientDataJSON: 'x', attestationObject: 'x' } },
}

async function aPasskey({ owner }: World): Promise<string> {
  const { id } = await app.ctx.db
    .insertInto('passkeys')
    .values({
      userId: owner.id,
      credentialId: String(++counter),
      publicKey: Buffer.from('x'),
      counter: 0,
      transports: [],
      rpId: 'localhost',
      name: 'Laptop',
      createdAt: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return `/api/v1/auth/factors/passkeys/${id}/`
}

async function aCode({ owner }: World): Promise<string> {
  const { id } = await app.ctx.db
    .insertInto('verificationCodes')
    .values({
      userId: owner.id,
      code: String(++counter).padStart(6, '0'),
      expiredAt: new Date(Date.now() + 60_000),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return `/api/v1/onetimeverificationcodes/${id}/`
}

async function aFile({ owner, printerId }: World): Promise<string> {
  const { id } = await app.ctx.db
    .insertInto('gCodeFiles')
    .values(
      asId({ userId: owner.id, residentPrinterId: printerId, filename: 'a.gcode', safeFilename: 'a.gcode' }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return `/api/v1/octo/g_code_files/${id}/`
}

/** A folder of the cloud store. */
async function aFolder({ owner }: World): Promise<string> {
  const name = `Folder ${++counter}`
  const { id } = await app.ctx.db
    .insertInto('gCodeFolders')
    .values({ userId: owner.id, name, safeName: name })
    .returning('id')
    .executeTakeFirstOrThrow()
  return `/api/v1/g_code_folders/${id}/`
}
const aCloudFile = async (world: World) => (await aFile(world)).replace('/octo/', '/')

const idIn = (path: string) => Number(path.split('/').at(-2))

/** A file of the cloud on its way to a printer. */
async function aCloudPrint(world: World): Promise<string> {
  const { id } = await app.ctx.db
    .insertInto('cloudPrints')
    .values(
      asId({
        userId: world.owner.id,
        printerId: world.printerId,
        filename: 'a.gcode',
        safeFilename: 'a.gcode',
        numBytes: 3,
        addressUntil: new Date(),
        state: 'failed',
        reason: 'busy',
        endedAt: new Date(),
      }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return `/api/v1/cloud_prints/${id}/`
}

const aPerson =
  (rest: string) =>
  ({ owner }: World) =>
    `/api/v1/admin/people/${owner.id}/${rest}`

const NOTICE = { level: 'info', body: { en: 'Tonight.', zh: '今晚。' } }
/** A notice that everybody is shown. */
const aNotice =
  (base: string, rest = '') =>
  async (): Promise<string> => {
    const now = new Date()
    const { id } = await app.ctx.db
      .insertInto('accountNotices')
      .values({
        level: 'info',
        bodyEn: 'x',
        bodyZh: 'x',
        audience: 'all',
        dismissible: true,
        fromAt: now,
        createdAt: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return `${base}${id}/${rest}`
  }

const household =
  (rest: string) =>
  ({ owner }: World) =>
    `/api/v1/households/${owner.id}/${rest}`

/** Whom the owner has invited, and who has not come yet. */
async function anInvited(world: World): Promise<string> {
  const now = new Date()
  const { id } = await app.ctx.db
    .insertInto('memberships')
    .values({
      ownerId: world.owner.id,
      email: `guest${++counter}@example.org`,
      role: 'viewer',
      linkId: 'x',
      tokenHash: randomBytes(32),
      invitedAt: now,
      expiresAt: new Date(now.getTime() + 60_000),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return household(`members/${id}/`)(world)
}

/** Something that the owner has let in. */
const aToken =
  (kind: 'app' | 'key', path: string) =>
  async ({ owner }: World): Promise<string> => {
    const tokenHash = Buffer.from(String(++counter))
    const { id } = await app.ctx.db
      .insertInto('accessTokens')
      .values({ userId: owner.id, application: 'x', kind, tokenHash })
      .returning('id')
      .executeTakeFirstOrThrow()
    return `${path}${id}/`
  }
/** The owner's printer, as an app may reach it. */
const aTunnel = async ({ printerId }: World): Promise<string> => {
  const code = (++counter).toString(16).padStart(16, '0')
  const { id } = await app.ctx.db
    .insertInto('tunnels')
    .values(asId({ printerId, kind: 'app', app: 'x', code, username: code, passwordHash: Buffer.from(code) }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return `/api/v1/tunnels/${id}/`
}
/** Something in the owner's queue. */
const queued = (rest: string) => async (world: World) => {
  const { id } = await app.ctx.db
    .insertInto('queueEntries')
    .values(
      asId({
        userId: world.owner.id,
        gCodeFileId: idIn(await aCloudFile(world)),
        copies: 1,
        place: ++counter,
      }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return `/api/v1/queue/${id}/${rest}`
}
const bedBy =
  (rest: string) =>
  ({ printerId }: World) =>
    `/api/v1/queue/printers/${printerId}/${rest}`

function aGCode(): FormData {
  const form = new FormData()
  form.set('filename', 'a.gcode')
  form.set('file', new Blob(['G28']), 'a.gcode')
  return form
}
function aMeshForm(): FormData {
  const form = new FormData()
  form.set('file', new Blob([aTetrahedron()]), 'a.stl')
  return form
}
function aPictureForm(): FormData {
  const form = new FormData()
  form.set('thumbnail', new Blob(['picture']), 'a.jpg')
  return form
}
async function aSliceJob({ owner }: World): Promise<string> {
  const at = [1, 1, 1] as const
  const mesh = { model: 1, translate: at, rotate: at, scale: at }
  const asked = { meshes: [mesh], machine: '', filament: '', print: '', overwrites: {}, name: 'a.gcode' }
  const { id } = await app.ctx.db
    .insertInto('sliceJobs')
    .values({ userId: owner.id, state: 'done', asked: JSON.stringify(asked) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return `/ent/api/slicer/jobs/${id}/`
}
async function aSlicePreset({ owner }: World): Promise<string> {
  const { id } = await app.ctx.db
    .insertInto('slicePresets')
    .values({
      userId: owner.id,
      name: `a${++counter}`,
      machine: '',
      filament: '',
      print: '',
      overwrites: '{}',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return `/ent/api/slicer/presets/${id}/`
}
async function aChat({ owner }: World): Promise<string> {
  const now = new Date()
  const { id } = await app.ctx.db
    .insertInto('chats')
    .values({ userId: owner.id, messages: '[]', createdAt: now, updatedAt: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return `/jusprin/api/chats/${id}/`
}
async function aMesh({ owner }: World): Promise<string> {
  const place = { container: 'tsd-gcodes', path: `models/${owner.id}/${++counter}.stl` } as const
  await app.ctx.files.put(place, Buffer.from('mesh'))
  const ref = JSON.stringify(place)
  const { id } = await app.ctx.db
    .insertInto('meshModels')
    .values({
      userId: owner.id,
      name: 'a',
      numBytes: 1,
      triangles: 4,
      size: '[1, 1, 1]',
      notes: '[]',
      content: ref,
      picture: ref,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return `/ent/api/slicer/models/${id}/`
}
/** An upload in parts, told that it does not speak the protocol: whose it is is tested in `resumable.test.ts`. */
const somePart = (path: string) => ({
  verdicts: PEOPLE,
  at: () => `${path}resumable/${'0'.repeat(32)}/`,
  success: 412,
})

async function anEvent({ owner, printerId }: World): Promise<string> {
  const { id } = await app.ctx.db
    .insertInto('printerEvents')
    .values(
      asId({ userId: owner.id, printerId, eventType: 'STARTED', eventClass: 'INFO', code: 'print_started' }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return `/api/v1/printer_events/${id}/`
}

/** A plan that is paid for. */
const PRO = { plan_id: 'pro', billing_cycle: 'annual', printers: 1, dhpack_level: '0' }

/** A webhook to nowhere. */
async function aChannel({ owner }: World): Promise<string> {
  const { id } = await app.ctx.db
    .insertInto('notificationSettings')
    .values({
      userId: owner.id,
      name: 'webhook',
      config: JSON.stringify({ custom_webhook_URL: 'http://127.0.0.1:1/' }),
    })
    .onConflict((conflict) => conflict.columns(['userId', 'name']).doUpdateSet({ enabled: true }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return `/api/v1/notification_settings/${id}/`
}

async function unsubToken({ owner }: World): Promise<string> {
  const { unsubToken: token } = await app.ctx.db
    .selectFrom('users')
    .select('unsubToken')
    .where('id', '=', owner.id)
    .executeTakeFirstOrThrow()
  return token
}

/** A phone of the owner. */
async function aPhone({ owner }: World): Promise<string> {
  const { id } = await app.ctx.db
    .insertInto('mobileDevices')
    .values({ userId: owner.id, platform: 'ios', appVersion: '1', deviceToken: String(++counter) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return `/api/v1/mobile_devices/${id}/`
}

/** A browser of the owner. */
async function aBrowser({ owner }: World): Promise<string> {
  const endpoint = `https://push.example/${++counter}`
  const { id } = await app.ctx.db
    .insertInto('pushSubscriptions')
    .values({ userId: owner.id, endpoint, p256dh: 'p', auth: 'a', label: 'Firefox' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return `/api/v1/push_subscriptions/${id}/`
}

/** The primary address of the owner. */
async function anAddress({ owner }: World): Promise<number> {
  const { id } = await app.ctx.db
    .selectFrom('emailAddresses')
    .select('id')
    .where('userId', '=', owner.id)
    .executeTakeFirstOrThrow()
  return id
}

/** A share link of the printer. */
async function aShare({ printerId }: World): Promise<{ id: number; token: string }> {
  const token = String(++counter).padStart(36, '0')
  const { id } = await app.ctx.db
    .insertInto('sharedResources')
    .values(asId({ printerId, shareToken: token }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, token }
}
const shareBy = (path: string) => async (world: World) => `${path}${(await aShare(world)).id}/`
const shared = (path: string) => async (world: World) => path + (await aShare(world)).token

/** The print runs, and its failure was alerted. */
async function anAlert(world: World): Promise<string> {
  const printId = Number((await aPrint(world)).split('/').at(-2))
  await app.ctx.db
    .updateTable('prints')
    .set({ alertedAt: new Date() })
    .where('id', '=', asId(printId))
    .execute()
  await app.ctx.db
    .updateTable('printers')
    .set({ currentPrintId: asId(printId) })
    .where('id', '=', asId(world.printerId))
    .execute()
  return `/api/v1/printers/${world.printerId}/acknowledge_alert/?alert_overwrite=NOT_FAILED`
}

const UNLINKED = { device_id: 'd'.repeat(32), hostname: 'pi', host_or_ip: '192.168.1.9', port: 5000 }

/** Every route and socket of the product. One that is not here fails the test below. */
const MATRIX: Record<string, Row> = {
  'page GET /hc/': { verdicts: OPEN },
  'page GET /hc/live/': { verdicts: OPEN },
  'page GET /hc/ready/': { verdicts: OPEN },
  'page GET /brands/:name/:file': { verdicts: OPEN, at: () => '/brands/base/mark.svg' },
  'page GET /brands/:name/manifest.webmanifest': {
    verdicts: OPEN,
    at: () => '/brands/base/manifest.webmanifest',
  },
  'page GET /media/*': {
    verdicts: verdicts(403, { 'unknown token': 403 }),
    at: () => '/media/tsd-pics/x.jpg',
  },
  'page GET /api/v1/openapi.json': { verdicts: OPEN },
  // Administrators alone: to everybody else there is nothing.
  'page GET /dev/mail/': { verdicts: verdicts(403, { owner: 404, stranger: 404, admin: 'in' }) },
  'page GET /dev/mail/:name/:sample/': {
    verdicts: verdicts(403, { owner: 404, stranger: 404 }),
    at: () => '/dev/mail/x/usual/',
  },
  'page GET /unsubscribe_email/': {
    verdicts: ANYONE,
    at: async (world) => `/unsubscribe_email/?unsub_token=${await unsubToken(world)}&list=print_done`,
  },
  'page POST /unsubscribe_email/': {
    verdicts: ANYONE,
    at: async (world) => `/unsubscribe_email/?unsub_token=${await unsubToken(world)}&list=print_done`,
  },
  // Whoever has the word of a link is let in; of an unknown one there is nothing, for anybody.
  'page GET /alerts/:token/': {
    verdicts: verdicts(404, { owner: 404, stranger: 404 }),
    at: () => '/alerts/x/',
  },
  'page GET /alerts/:token/:act/': {
    verdicts: verdicts(404, { owner: 404, stranger: 404 }),
    at: () => '/alerts/x/pause/',
  },
  'page POST /alerts/:token/:act/': {
    verdicts: verdicts(404, { owner: 404, stranger: 404 }),
    at: () => '/alerts/x/pause/',
  },
  'page GET /mobile/auth/login/': { verdicts: ANYONE },
  'page POST /mobile/auth/login/': { verdicts: ANYONE, body: { login: 'x@example.org', password: 'wrong' } },
  'page POST /mobile/auth/factor/': { verdicts: ANYONE, body: { ticket: 'x', code: '1' } },
  'page GET /mobile/auth/signup/': { verdicts: ANYONE },
  'page POST /mobile/auth/signup/': { verdicts: ANYONE, body: { email: 'no address' } },
  // Whoever has no browser session is led to the sign-in.
  'page GET /mobile/auth/fetch/': { verdicts: verdicts(302, { owner: 'in', stranger: 'in' }) },
  'page GET /*': { verdicts: OPEN, at: () => '/printers/' },
  'page GET /prints/': { verdicts: OPEN, success: 301 },

  'rest GET /api/v1/bootstrap/': { verdicts: ANYONE },
  'rest POST /api/v1/auth/setup/': {
    verdicts: verdicts(403, {}),
    body: () => ({ token: 'used long ago', ...credentials() }),
  },
  'rest POST /api/v1/auth/login/': {
    verdicts: ANYONE,
    body: ({ owner }: World) => ({ email: owner.email, password: PASSWORD }),
    fresh: true,
  },
  'rest POST /api/v1/auth/signup/': { verdicts: ANYONE, body: credentials, fresh: true },
  'rest POST /api/v1/auth/logout/': { verdicts: BROWSER, fresh: true },
  'rest GET /api/v1/auth/sessions/': { verdicts: BROWSER },
  'rest DELETE /api/v1/auth/sessions/': { verdicts: BROWSER, fresh: true },
  'rest DELETE /api/v1/auth/sessions/:id/': {
    verdicts: verdicts(403, { owner: 'in', stranger: 404 }),
    at: aSession,
  },
  'rest GET /api/v1/auth/identities/': { verdicts: BROWSER },
  // No provider is set.
  'rest POST /api/v1/auth/identities/': { verdicts: BROWSER, body: { provider: 'oidc' }, success: 404 },
  'rest DELETE /api/v1/auth/identities/:id/': {
    verdicts: BROWSER,
    at: () => '/api/v1/auth/identities/1/',
    success: 404,
  },
  'rest GET /api/v1/users/me/leaving/': { verdicts: BROWSER },
  'rest POST /ent/api/users/delete/': {
    verdicts: BROWSER,
    body: { acknowledged: true, reason: 'x' },
    success: 204,
    fresh: true,
  },
  // No such link.
  'rest POST /api/v1/auth/leaving/undo/': { verdicts: ANYONE, body: { link: 'x' }, success: 400 },
  'rest POST /api/v1/users/me/archive/': { verdicts: BROWSER },
  'page GET /api/v1/users/me/archive/file/': { verdicts: BROWSER, success: 404 },
  'page GET /accounts/social/connections/': { verdicts: OPEN, success: 301 },
  'page POST /accounts/social/connections/': { verdicts: OPEN, success: 303 },
  'page GET /accounts/google/login/token/': { verdicts: OPEN, success: 301 },
  'page POST /accounts/google/login/token/': { verdicts: OPEN, success: 303 },
  'page GET /accounts/apple/login/callback/finish/': { verdicts: OPEN, success: 301 },
  'page POST /accounts/apple/login/callback/finish/': { verdicts: OPEN, success: 303 },
  'page GET /o/applications/': { verdicts: OPEN, success: 301 },
  'page POST /o/applications/': { verdicts: OPEN, success: 303 },
  'page GET /o/authorized_tokens/': { verdicts: OPEN, success: 301 },
  'page POST /o/authorized_tokens/': { verdicts: OPEN, success: 303 },
  // Whoever follows no link of ours is shown the page with the button.
  'page GET /accounts/logout/': { verdicts: ANYONE },
  'page POST /accounts/logout/': { verdicts: ANYONE, success: 303, fresh: true },
  'page GET /accounts/:provider/login/': {
    verdicts: ANYONE,
    at: () => '/accounts/oidc/login/',
    success: 404,
  },
  'page GET /accounts/:provider/login/callback/': {
    verdicts: ANYONE,
    at: () => '/accounts/oidc/login/callback/',
    success: 404,
  },
  'page POST /accounts/:provider/login/callback/': {
    verdicts: OPEN,
    at: () => '/accounts/apple/login/callback/',
    body: { state: 'x' },
    success: 303,
  },
  // Nobody has begun anything.
  'rest POST /api/v1/auth/login/factor/': {
    verdicts: ANYONE,
    body: { ticket: 'x', code: '123456' },
    success: 400,
  },
  'rest POST /api/v1/auth/passkey/options/': { verdicts: ANYONE, body: {} },
  'rest POST /api/v1/auth/login/passkey/': {
    verdicts: ANYONE,
    body: passkeyAnswer,
    success: 400,
    fresh: true,
  },
  'rest POST /api/v1/auth/proof/': { verdicts: BROWSER, body: { password: PASSWORD } },
  'rest GET /api/v1/auth/factors/': { verdicts: BROWSER },
  'rest POST /api/v1/auth/factors/totp/': { verdicts: BROWSER },
  'rest POST /api/v1/auth/factors/totp/confirm/': { verdicts: BROWSER, body: { code: '1' }, success: 400 },
  'rest DELETE /api/v1/auth/factors/totp/': { verdicts: BROWSER, success: 404 },
  'rest POST /api/v1/auth/factors/passkeys/options/': { verdicts: BROWSER },
  'rest POST /api/v1/auth/factors/passkeys/': { verdicts: BROWSER, body: passkeyMade, success: 400 },
  'rest DELETE /api/v1/auth/factors/passkeys/:id/': {
    verdicts: verdicts(403, { owner: 'in', stranger: 404 }),
    at: aPasskey,
    fresh: true,
  },
  'rest POST /api/v1/auth/factors/recovery_codes/': { verdicts: BROWSER, success: 400, fresh: true },
  'rest POST /api/v1/auth/factors/keep/': { verdicts: ANYONE, body: { link: 'x' }, success: 400 },
  'rest POST /api/v1/auth/password/set/': {
    verdicts: verdicts(403, { owner: 'in', stranger: 'in' }),
    body: { new: PASSWORD },
    success: 400,
  },
  // This server sends no mail, and says so; a link that is made up leads nowhere.
  'rest POST /api/v1/auth/password/reset/': {
    verdicts: ANYONE,
    body: { email: 'somebody@example.org' },
    success: 503,
  },
  'rest GET /api/v1/auth/password/reset/confirm/': {
    verdicts: ANYONE,
    at: () => '/api/v1/auth/password/reset/confirm/?uid=1&token=x',
    success: 400,
  },
  'rest POST /api/v1/auth/password/reset/confirm/': {
    verdicts: ANYONE,
    body: { uid: '1', token: 'x', password: PASSWORD },
    success: 400,
  },
  'rest GET /api/v1/mobile_devices/': { verdicts: PEOPLE },
  'rest POST /api/v1/mobile_devices/': {
    verdicts: PEOPLE,
    body: { platform: 'ios', app_version: '1', device_token: 'x' },
  },
  'rest GET /api/v1/mobile_devices/:id/': { verdicts: OWNER, at: aPhone },
  'rest DELETE /api/v1/mobile_devices/:id/': { verdicts: OWNER, at: aPhone },
  'rest GET /api/v1/push_subscriptions/': { verdicts: PEOPLE },
  'rest POST /api/v1/push_subscriptions/': {
    verdicts: PEOPLE,
    body: {
      endpoint: 'https://push.example/matrix',
      keys: { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) },
      label: 'Firefox',
    },
  },
  'rest DELETE /api/v1/push_subscriptions/:id/': { verdicts: OWNER, at: aBrowser },
  'rest GET /api/v1/auth/emails/': { verdicts: verdicts(403, { owner: 'in', stranger: 'in' }) },
  'rest POST /api/v1/auth/emails/': {
    verdicts: verdicts(403, { owner: 'in', stranger: 'in' }),
    body: { email: 'somebody@example.org' },
    success: 503,
  },
  'rest POST /api/v1/auth/emails/:id/make_primary/': {
    verdicts: verdicts(403, { owner: 'in', stranger: 404 }),
    at: async (world) => `/api/v1/auth/emails/${await anAddress(world)}/make_primary/`,
  },
  'rest POST /api/v1/auth/emails/:id/resend/': {
    verdicts: verdicts(403, { owner: 'in', stranger: 503 }),
    at: async (world) => `/api/v1/auth/emails/${await anAddress(world)}/resend/`,
    success: 503,
  },
  'rest DELETE /api/v1/auth/emails/:id/': {
    verdicts: verdicts(403, { owner: 'in', stranger: 404 }),
    at: async (world) => `/api/v1/auth/emails/${await anAddress(world)}/`,
    success: 400,
  },
  'rest GET /api/v1/auth/emails/confirm/': {
    verdicts: ANYONE,
    at: () => '/api/v1/auth/emails/confirm/?key=x',
    success: 404,
  },
  'rest POST /api/v1/auth/emails/confirm/': { verdicts: ANYONE, body: { key: 'x' }, success: 404 },
  'rest POST /api/v1/auth/password/change/': {
    verdicts: BROWSER,
    body: { old: PASSWORD, new: PASSWORD },
    fresh: true,
  },
  'rest GET /api/v1/users/me/': { verdicts: PEOPLE },
  'rest PATCH /api/v1/users/me/': { verdicts: PEOPLE, body: { first_name: 'Ada' } },

  'rest GET /api/v1/g_code_folders/': { verdicts: keyed('read', AND_SLICERS, 'account') },
  'rest POST /api/v1/g_code_folders/': {
    verdicts: keyed('operate', AND_SLICERS, 'account'),
    body: () => ({ name: `New ${++counter}` }),
  },
  'rest POST /api/v1/g_code_folders/bulk_delete/': {
    verdicts: keyed('manage', PEOPLE, 'account'),
    body: { folder_ids: [] },
  },
  'rest POST /api/v1/g_code_folders/bulk_move/': {
    verdicts: keyed('manage', PEOPLE, 'account'),
    body: { folder_ids: [], parent_folder: null },
  },
  'rest GET /api/v1/g_code_folders/:id/': { verdicts: keyed('read', OWNER, 'account'), at: aFolder },
  'rest GET /api/v1/g_code_folders/:id/path/': {
    verdicts: keyed('read', OWNER, 'account'),
    at: async (world) => `${await aFolder(world)}path/`,
  },
  'rest GET /api/v1/g_code_files/:id/copies/': {
    verdicts: keyed('read', OWNER, 'account'),
    at: async (world) => `${await aCloudFile(world)}copies/`,
  },
  'rest GET /api/v1/g_code_storage/': { verdicts: keyed('read', PEOPLE, 'account') },
  'rest PATCH /api/v1/g_code_folders/:id/': {
    verdicts: keyed('manage', OWNER, 'account'),
    at: aFolder,
    body: {},
  },
  'rest PUT /api/v1/g_code_folders/:id/': {
    verdicts: keyed('manage', OWNER, 'account'),
    at: aFolder,
    body: {},
  },
  'rest DELETE /api/v1/g_code_folders/:id/': { verdicts: keyed('manage', OWNER, 'account'), at: aFolder },
  'rest POST /api/v1/printers/:id/delete_file/': {
    verdicts: housed('owner', keyed('manage', OWNER)),
    at: own('delete_file/'),
    body: { path: 'a.gcode' },
    success: 409,
  },
  'rest GET /api/v1/printers/:id/macros/': {
    verdicts: housed('operator', OWNER),
    at: own('macros/'),
    success: 409,
  },
  'rest POST /api/v1/printers/:id/macros/': {
    verdicts: housed('operator', OWNER),
    at: own('macros/'),
    body: { name: 'PRINT_START' },
    success: 409,
  },
  'rest GET /api/v1/queue/': { verdicts: keyed('read', PEOPLE, 'account') },
  'rest POST /api/v1/queue/': {
    verdicts: keyed('operate', PEOPLE, 'account'),
    body: { g_code_file_id: 2_000_000_000 },
    success: 400,
  },
  'rest PATCH /api/v1/queue/:id/': {
    verdicts: keyed('operate', OWNER, 'account'),
    at: queued(''),
    body: { on_hold: true },
  },
  'rest DELETE /api/v1/queue/:id/': { verdicts: keyed('operate', OWNER, 'account'), at: queued('') },
  'rest POST /api/v1/queue/:id/move/': {
    verdicts: keyed('operate', OWNER, 'account'),
    at: queued('move/'),
    body: { after: null, version: 2_000_000_000 },
    success: 409,
  },
  'rest PATCH /api/v1/queue/printers/:id/': {
    verdicts: keyed('manage', OWNER, 'account'),
    at: bedBy(''),
    body: { enabled: true },
  },
  'rest POST /api/v1/queue/printers/:id/bed_cleared/': {
    verdicts: keyed('operate', OWNER, 'account'),
    at: bedBy('bed_cleared/'),
    body: { bed: 0 },
    // Its agent is not there.
    success: 409,
  },
  'rest DELETE /api/v1/queue/printers/:id/bed_cleared/': {
    verdicts: keyed('operate', OWNER, 'account'),
    at: bedBy('bed_cleared/'),
  },
  'rest POST /api/v1/cloud_prints/': {
    verdicts: keyed('operate', OWNER),
    at: () => '/api/v1/cloud_prints/',
    body: async (world) => ({ printer: world.printerId, g_code_file: idIn(await aCloudFile(world)) }),
    success: 409,
  },
  'rest GET /api/v1/cloud_prints/': { verdicts: keyed('read', PEOPLE, 'account') },
  'rest GET /api/v1/cloud_prints/:id/': { verdicts: keyed('read', OWNER, 'account'), at: aCloudPrint },
  'page GET /api/v1/cloud_prints/:id/content/': {
    verdicts: verdicts(403, { 'unknown token': 403 }),
    at: () => '/api/v1/cloud_prints/1/content/',
  },
  'rest GET /api/v1/g_code_files/': { verdicts: keyed('read', AND_SLICERS, 'account') },
  'rest POST /api/v1/g_code_files/': { verdicts: keyed('operate', AND_SLICERS, 'account'), body: aGCode },
  'rest POST /api/v1/g_code_files/bulk_delete/': {
    verdicts: keyed('manage', PEOPLE, 'account'),
    body: { file_ids: [] },
  },
  'rest POST /api/v1/g_code_files/bulk_move/': {
    verdicts: keyed('manage', PEOPLE, 'account'),
    body: { file_ids: [], parent_folder: null },
  },
  'rest GET /api/v1/g_code_files/:id/': { verdicts: keyed('read', OWNER, 'account'), at: aCloudFile },
  'rest PATCH /api/v1/g_code_files/:id/': {
    verdicts: keyed('manage', OWNER, 'account'),
    at: aCloudFile,
    body: {},
  },
  'rest PUT /api/v1/g_code_files/:id/': {
    verdicts: keyed('manage', OWNER, 'account'),
    at: aCloudFile,
    body: {},
  },
  'rest DELETE /api/v1/g_code_files/:id/': { verdicts: keyed('manage', OWNER, 'account'), at: aCloudFile },
  'rest GET /api/v1/g_code_files/:id/printers/': {
    verdicts: keyed('read', OWNER, 'account'),
    at: async (world) => `${await aCloudFile(world)}printers/`,
  },
  'rest POST /api/v1/g_code_files/resumable/': { verdicts: PEOPLE, success: 412 },
  'rest GET /api/v1/g_code_files/resumable/:upload/': somePart('/api/v1/g_code_files/'),
  'rest PATCH /api/v1/g_code_files/resumable/:upload/': somePart('/api/v1/g_code_files/'),
  'rest DELETE /api/v1/g_code_files/resumable/:upload/': somePart('/api/v1/g_code_files/'),
  'rest GET /ent/api/slicer/models/': { verdicts: PEOPLE },
  'rest POST /ent/api/slicer/models/': { verdicts: PEOPLE, body: aMeshForm },
  'rest PATCH /ent/api/slicer/models/:id/': { verdicts: OWNER, at: aMesh, body: { name: 'b' } },
  'rest DELETE /ent/api/slicer/models/:id/': { verdicts: OWNER, at: aMesh },
  'rest POST /ent/api/slicer/models/:id/cut/': {
    verdicts: OWNER,
    at: async (world) => `${await aMesh(world)}cut/`,
    body: { normal: [0, 0, 1], offset: 0 },
    success: 400,
  },
  'rest GET /ent/api/designs/': { verdicts: PEOPLE },
  'rest GET /ent/api/designs/:id/': { verdicts: PEOPLE, at: () => '/ent/api/designs/1/' },
  'rest GET /ent/api/designs/:id/images/': { verdicts: PEOPLE, at: () => '/ent/api/designs/1/images/' },
  'rest GET /ent/api/designs/:id/comments/': { verdicts: PEOPLE, at: () => '/ent/api/designs/1/comments/' },
  'rest GET /ent/api/designs/:id/files/': { verdicts: PEOPLE, at: () => '/ent/api/designs/1/files/' },
  'rest POST /ent/api/designs/:id/models/': {
    verdicts: PEOPLE,
    at: () => '/ent/api/designs/1/models/',
    body: {},
    success: 400,
  },
  'page GET /ent/api/designs/pictures/:token': {
    verdicts: PEOPLE,
    at: () => '/ent/api/designs/pictures/x?of=wallHook',
    success: 404,
  },
  // Of slicers' tokens those of our own alone reach the assistant (assistant/chats/chats.test.ts).
  'rest GET /jusprin/api/me/': { verdicts: PEOPLE },
  'rest GET /jusprin/api/chats/': { verdicts: PEOPLE },
  'rest POST /jusprin/api/chats/': { verdicts: PEOPLE, body: { messages: '[]' } },
  'rest GET /jusprin/api/chats/:id/': { verdicts: OWNER, at: aChat },
  'rest PUT /jusprin/api/chats/:id/': { verdicts: OWNER, at: aChat, body: { messages: '[]' } },
  'rest PATCH /jusprin/api/chats/:id/': { verdicts: OWNER, at: aChat, body: {} },
  'rest DELETE /jusprin/api/chats/:id/': { verdicts: OWNER, at: aChat },
  'rest POST /jusprin/api/chats/messages/': {
    verdicts: PEOPLE,
    body: { messages: [{ role: 'user', content: 'Make it strong' }] },
  },
  'rest POST /jusprin/api/plate_analysis/': { verdicts: PEOPLE, body: {} },
  'rest GET /jusprin/api/prints/:id/moments/': {
    verdicts: housed('viewer', OWNER),
    at: async (world) => `/jusprin/api/prints/${(await aPrint(world)).split('/').at(-2)}/moments/`,
  },
  'rest POST /jusprin/api/contact_support/': { verdicts: ANYONE, body: { message: 'Help' }, success: 503 },
  'rest GET /ent/api/slicer/presets/': { verdicts: PEOPLE },
  'rest POST /ent/api/slicer/presets/': { verdicts: PEOPLE, body: {}, success: 400 },
  'rest DELETE /ent/api/slicer/presets/:id/': { verdicts: OWNER, at: aSlicePreset },
  'rest GET /ent/api/slicer/my_printers/': { verdicts: PEOPLE },
  'rest GET /ent/api/slicer/machine_models/': { verdicts: PEOPLE },
  // No such printer, no such profile.
  'rest GET /ent/api/slicer/filaments/': { verdicts: PEOPLE, success: 400 },
  'rest GET /ent/api/slicer/print_processes/': { verdicts: PEOPLE, success: 400 },
  'rest GET /ent/api/slicer/profiles/:id/': {
    verdicts: PEOPLE,
    at: () => '/ent/api/slicer/profiles/1/',
    success: 404,
  },
  'page GET /ent/api/slicer/machine_models/:id/cover.png': {
    verdicts: PEOPLE,
    at: () => '/ent/api/slicer/machine_models/1/cover.png',
    success: 404,
  },
  'rest GET /ent/api/slicer/engine/': { verdicts: PEOPLE },
  // Where there is a slicer nothing is begun.
  'rest POST /ent/api/slicer/engine/install/': { verdicts: ADMINS },
  'rest GET /ent/api/slicer/user_slice_settings/default/': { verdicts: PEOPLE },
  'rest POST /ent/api/slicer/user_slice_settings/default/': { verdicts: PEOPLE, body: {}, success: 400 },
  'rest POST /ent/api/slicer/slice_settings/': { verdicts: PEOPLE, body: aPictureForm, success: 400 },
  'rest GET /ent/api/slicer/jobs/': { verdicts: PEOPLE },
  'rest GET /ent/api/slicer/jobs/:id/': { verdicts: OWNER, at: aSliceJob },
  'rest DELETE /ent/api/slicer/jobs/:id/': { verdicts: OWNER, at: aSliceJob },
  'page GET /ent/api/slicer/models/:id/mesh.stl': {
    verdicts: OWNER,
    at: async (world) => `${await aMesh(world)}mesh.stl`,
  },
  'rest GET /jusprin/api/prints/': { verdicts: PEOPLE },
  'page GET /jusprin/v0.4/embedded_chat/': { verdicts: OPEN, success: 301 },
  'page GET /jusprin/v1.0/embedded_chat/': { verdicts: OPEN },
  'page GET /jusprin/v1.2/embedded_chat/': { verdicts: OPEN },
  'page GET //jusprin/v0.4/embedded_chat/': { verdicts: OPEN },
  'page GET //jusprin/v1.0/embedded_chat/': { verdicts: OPEN },
  'page GET //jusprin/v1.2/embedded_chat/': { verdicts: OPEN },
  'page GET /jusprin/host/': { verdicts: OPEN },
  'rest GET /api/version/': { verdicts: SLICERS },
  'rest GET /api/settings/': { verdicts: SLICERS },
  'rest GET /api/printerprofiles/': { verdicts: SLICERS },
  // No printer is on.
  'rest GET /api/printer/': { verdicts: SLICERS, success: 409 },
  'rest GET /api/job/': { verdicts: SLICERS },
  'rest POST /api/login/': { verdicts: SLICERS, body: { passive: true } },
  'rest POST /api/files/local/': { verdicts: SLICERS, body: aGCode },
  // Nobody has asked for anything.
  'page GET /o/authorize/': { verdicts: ANYONE, success: 400 },
  'page POST /o/authorize/': { verdicts: ANYONE, body: {}, success: 400 },
  // Nobody has a code.
  'rest POST /o/token/': {
    verdicts: ANYONE,
    body: { grant_type: 'authorization_code', client_id: 'OrcaSlicer', code: 'x' },
    success: 400,
  },
  'rest POST /o/introspect/': { verdicts: SLICERS, body: { token: 'x' } },
  'rest POST /o/revoke_token/': { verdicts: ANYONE, body: { token: 'nobody knows it' } },
  'page GET /orca_slicer/authorized/': { verdicts: ANYONE },
  'rest GET /api/v1/authorized_apps/': { verdicts: BROWSER },
  'rest DELETE /api/v1/authorized_apps/:id/': {
    verdicts: verdicts(403, { owner: 'in', stranger: 404 }),
    at: aToken('app', '/api/v1/authorized_apps/'),
  },
  'rest GET /api/v1/api_keys/': { verdicts: BROWSER },
  'rest POST /api/v1/api_keys/': { verdicts: BROWSER, body: { name: 'Slicer' } },
  'rest DELETE /api/v1/api_keys/:id/': {
    verdicts: verdicts(403, { owner: 'in', stranger: 404 }),
    at: aToken('key', '/api/v1/api_keys/'),
  },
  'rest GET /api/v1/admin/people/': { verdicts: ADMINS },
  'rest GET /api/v1/admin/people/:id/': { verdicts: ADMINS, at: aPerson('') },
  'rest PATCH /api/v1/admin/people/:id/': { verdicts: ADMINS, at: aPerson(''), body: { plan: 'pro' } },
  // No second factor, no reset.
  'rest POST /api/v1/admin/people/:id/reset_factors/': {
    verdicts: ADMINS,
    at: aPerson('reset_factors/'),
    success: 409,
  },
  'rest POST /api/v1/admin/people/:id/act_as/': {
    verdicts: ADMINS,
    at: aPerson('act_as/'),
    body: { reason: 'they asked' },
    fresh: true,
  },
  'rest GET /api/v1/admin/people/:id/payments/': {
    verdicts: ADMINS,
    at: aPerson('payments/'),
    success: 404,
  },
  'rest POST /api/v1/admin/people/:id/payments/:payment/refund/': {
    verdicts: ADMINS,
    at: aPerson('payments/1/refund/'),
    success: 404,
  },
  'rest DELETE /api/v1/admin/acting/': { verdicts: BROWSER },
  'rest GET /ent/api/messages/': { verdicts: PEOPLE },
  'rest POST /ent/api/messages/:id/dismiss/': {
    verdicts: PEOPLE,
    at: aNotice('/ent/api/messages/', 'dismiss/'),
  },
  'rest GET /api/v1/admin/notices/': { verdicts: ADMINS },
  'rest POST /api/v1/admin/notices/': { verdicts: ADMINS, body: NOTICE },
  'rest PUT /api/v1/admin/notices/:id/': {
    verdicts: ADMINS,
    at: aNotice('/api/v1/admin/notices/'),
    body: NOTICE,
  },
  'rest DELETE /api/v1/admin/notices/:id/': { verdicts: ADMINS, at: aNotice('/api/v1/admin/notices/') },
  'rest GET /api/v1/admin/site/': { verdicts: ADMINS },
  'rest PATCH /api/v1/admin/site/brands/:name/': {
    verdicts: ADMINS,
    at: () => '/api/v1/admin/site/brands/yumi/',
    body: { display_name: 'Yumi' },
  },
  'rest DELETE /api/v1/admin/site/brands/:name/': {
    verdicts: ADMINS,
    at: () => '/api/v1/admin/site/brands/yumi/',
  },
  'rest PUT /api/v1/admin/site/flags/:name/': {
    verdicts: ADMINS,
    at: () => '/api/v1/admin/site/flags/SHARING_ENABLED/',
    body: { value: null },
  },
  'rest GET /api/v1/admin/jobs/': { verdicts: ADMINS },
  'rest POST /api/v1/admin/jobs/:id/retry/': {
    verdicts: ADMINS,
    at: () => '/api/v1/admin/jobs/11111111-1111-4111-8111-111111111111/retry/',
    success: 404,
  },
  'rest GET /api/v1/admin/outbox/': { verdicts: ADMINS },
  'rest POST /api/v1/admin/outbox/:id/retry/': {
    verdicts: ADMINS,
    at: () => '/api/v1/admin/outbox/d1/retry/',
    success: 404,
  },
  // This server sends no mail.
  'rest POST /api/v1/admin/test_mail/': {
    verdicts: ADMINS,
    body: { email: 'ada@example.org' },
    success: 503,
  },
  'rest GET /api/v1/admin/system/': { verdicts: ADMINS },
  'rest POST /api/v1/admin/system/count/': { verdicts: ADMINS },
  'rest GET /api/v1/households/': { verdicts: BROWSER },
  'rest GET /api/v1/households/:account/members/': { verdicts: HOUSEHOLD, at: household('members/') },
  // This server sends no mail.
  'rest POST /api/v1/households/:account/members/': {
    verdicts: HOUSEHOLD,
    at: household('members/'),
    body: { email: 'ada@example.org', role: 'viewer' },
    success: 503,
  },
  'rest PATCH /api/v1/households/:account/members/:id/': {
    verdicts: HOUSEHOLD,
    at: anInvited,
    body: { role: 'operator' },
  },
  'rest DELETE /api/v1/households/:account/members/:id/': { verdicts: HOUSEHOLD, at: anInvited },
  'rest PUT /api/v1/households/:account/order/': {
    verdicts: HOUSEHOLD,
    at: household('order/'),
    body: { member_ids: [] },
  },
  'rest GET /api/v1/households/:account/audit/': { verdicts: HOUSEHOLD, at: household('audit/') },
  'rest GET /api/v1/invitations/': {
    verdicts: ANYONE,
    at: () => '/api/v1/invitations/?key=x',
    success: 404,
  },
  'rest POST /api/v1/invitations/accept/': { verdicts: BROWSER, body: { key: 'x' }, success: 404 },
  'rest GET /api/v1/tunnels/': { verdicts: PEOPLE },
  'rest POST /api/v1/tunnels/': {
    verdicts: OWNER,
    body: ({ printerId }) => ({ app_name: 'OctoApp', target_printer_id: printerId }),
  },
  'rest GET /api/v1/tunnels/:id/': { verdicts: OWNER, at: aTunnel },
  'rest DELETE /api/v1/tunnels/:id/': { verdicts: OWNER, at: aTunnel },
  'rest GET /api/v1/tunnelusage/': { verdicts: PEOPLE },
  // Whoever has no browser session is led to the sign-in.
  'page GET /octoprint/:id/': {
    verdicts: verdicts(302, { stranger: 404, 'unknown token': 401, 'unknown bearer': 403 }),
    at: ({ printerId }) => `/octoprint/${printerId}/`,
  },
  'rest GET /api/v1/version/': { verdicts: keyed('read', AND_SLICERS) },

  'rest GET /api/v1/printers/': { verdicts: keyed('read', AND_SLICERS) },
  'rest POST /api/v1/printers/': { verdicts: PEOPLE, body: { name: 'Ender' } },
  'rest GET /api/v1/printers/:id/': { verdicts: housed('viewer', keyed('read', OWNER)), at: own() },
  'rest GET /api/v1/printers/:id/temperatures/': {
    verdicts: housed('viewer', keyed('read', OWNER)),
    at: own('temperatures/'),
  },
  'rest PUT /api/v1/printers/:id/': {
    verdicts: housed('owner', keyed('manage', OWNER)),
    at: own(),
    body: { name: 'Other' },
  },
  'rest PATCH /api/v1/printers/:id/': {
    verdicts: housed('owner', keyed('manage', OWNER)),
    at: own(),
    body: { name: 'Other' },
  },
  'rest DELETE /api/v1/printers/:id/': { verdicts: housed('owner', keyed('manage', OWNER)), at: own() },
  'rest POST /api/v1/printers/:id/archive/': {
    verdicts: housed('owner', keyed('manage', OWNER)),
    at: own('archive/'),
  },
  'rest POST /api/v1/printers/:id/unarchive/': {
    verdicts: housed('owner', keyed('manage', OWNER)),
    at: own('unarchive/'),
  },
  'rest POST /ent/printers/:id/unarchive/': {
    verdicts: housed('owner', keyed('manage', OWNER)),
    at: ({ printerId }) => `/ent/printers/${printerId}/unarchive/`,
  },
  'rest POST /api/v1/printers/:id/pause_print/': {
    verdicts: housed('operator', keyed('operate', OWNER)),
    at: own('pause_print/'),
  },
  'rest POST /api/v1/printers/:id/resume_print/': {
    verdicts: housed('operator', keyed('operate', OWNER)),
    at: own('resume_print/'),
  },
  'rest POST /api/v1/printers/:id/cancel_print/': {
    verdicts: housed('operator', keyed('operate', OWNER)),
    at: own('cancel_print/'),
  },
  'rest POST /api/v1/printers/:id/mute_current_print/': {
    verdicts: housed('operator', keyed('operate', OWNER)),
    at: own('mute_current_print/?mute_alert=true'),
  },
  'rest POST /api/v1/printers/:id/acknowledge_alert/': {
    verdicts: housed('operator', keyed('operate', OWNER)),
    at: anAlert,
  },

  'rest GET /api/v1/printers/:id/heat/': {
    verdicts: housed('viewer', keyed('read', OWNER)),
    at: own('heat/'),
  },
  'rest GET /api/v1/printers/:id/learnt/': {
    verdicts: housed('viewer', keyed('read', OWNER)),
    at: own('learnt/'),
  },
  'rest DELETE /api/v1/printers/:id/learnt/': {
    verdicts: housed('owner', keyed('manage', OWNER)),
    at: own('learnt/'),
  },
  'rest GET /api/v1/printers/:id/machine/': {
    verdicts: housed('viewer', keyed('read', OWNER)),
    at: own('machine/'),
  },
  'rest PATCH /api/v1/printers/:id/machine/': {
    verdicts: housed('owner', keyed('manage', OWNER)),
    at: own('machine/'),
    body: {},
  },
  'rest GET /api/v1/printers/:id/ignore_zones/': {
    verdicts: housed('viewer', keyed('read', OWNER)),
    at: own('ignore_zones/'),
  },
  'rest PUT /api/v1/printers/:id/ignore_zones/': {
    verdicts: housed('owner', keyed('manage', OWNER)),
    at: own('ignore_zones/'),
    body: { zones: [] },
  },

  'rest POST /api/v1/printers/:id/start_print/': {
    verdicts: housed('operator', keyed('operate', OWNER)),
    at: own('start_print/'),
    body: { filename: 'a.gcode' },
  },
  'rest POST /api/v1/printers/:id/finish_print/': {
    verdicts: housed('operator', keyed('operate', OWNER)),
    at: async (world) => (await anAlert(world)).replace(/acknowledge_alert.*/, 'finish_print/'),
  },
  'rest POST /api/v1/printers/:id/predict/': {
    verdicts: housed('operator', keyed('operate', OWNER)),
    at: async (world) => (await anAlert(world)).replace(/acknowledge_alert.*/, 'predict/'),
    body: () => picture('img'),
  },
  // By GET for token holders and the mobile app only: no page may make a browser do it.
  'rest GET /api/v1/printers/:id/pause_print/': { verdicts: LEGACY, at: own('pause_print/') },
  'rest GET /api/v1/printers/:id/resume_print/': { verdicts: LEGACY, at: own('resume_print/') },
  'rest GET /api/v1/printers/:id/cancel_print/': { verdicts: LEGACY, at: own('cancel_print/') },
  'rest GET /api/v1/printers/:id/mute_current_print/': {
    verdicts: LEGACY,
    at: own('mute_current_print/?mute_alert=true'),
  },
  'rest GET /api/v1/printers/:id/acknowledge_alert/': { verdicts: LEGACY, at: anAlert },

  'rest GET /api/v1/sharedresources/': {
    verdicts: housed('owner', OWNER),
    at: ({ printerId }) => `/api/v1/sharedresources/?printer_id=${printerId}`,
  },
  'rest POST /api/v1/sharedresources/': {
    verdicts: housed('owner', OWNER),
    at: ({ printerId }) => `/api/v1/sharedresources/?printer_id=${printerId}`,
  },
  'rest DELETE /api/v1/sharedresources/:id/': {
    verdicts: housed('owner', OWNER),
    at: shareBy('/api/v1/sharedresources/'),
  },
  'rest GET /api/v1/printers/:id/share_links/': { verdicts: housed('owner', OWNER), at: own('share_links/') },
  'rest POST /api/v1/printers/:id/share_links/': {
    verdicts: housed('owner', OWNER),
    at: own('share_links/'),
    body: {},
  },
  'rest PATCH /api/v1/share_links/:id/': {
    verdicts: housed('owner', OWNER),
    at: shareBy('/api/v1/share_links/'),
    body: {},
  },
  'rest DELETE /api/v1/share_links/:id/': {
    verdicts: housed('owner', OWNER),
    at: shareBy('/api/v1/share_links/'),
  },
  'rest GET /api/v1/notification_settings/available_plugins/': { verdicts: PEOPLE },
  'rest GET /api/v1/notification_rules/': { verdicts: PEOPLE },
  'rest PATCH /api/v1/notification_rules/': { verdicts: PEOPLE, body: {} },
  'rest GET /api/v1/notification_settings/': { verdicts: PEOPLE },
  'rest POST /api/v1/notification_settings/': {
    verdicts: PEOPLE,
    body: { name: 'webhook', config: { custom_webhook_URL: 'https://example.org/' } },
    fresh: true,
  },
  'rest GET /api/v1/notification_settings/:id/': { verdicts: OWNER, at: aChannel },
  'rest PATCH /api/v1/notification_settings/:id/': { verdicts: OWNER, at: aChannel, body: {} },
  'rest PUT /api/v1/notification_settings/:id/': { verdicts: OWNER, at: aChannel, body: {} },
  'rest DELETE /api/v1/notification_settings/:id/': { verdicts: OWNER, at: aChannel },
  'rest POST /api/v1/notification_settings/:id/send_test_message/': {
    verdicts: OWNER,
    at: async (world: World) => `${await aChannel(world)}send_test_message/`,
    success: 418,
  },
  'rest GET /api/v1/notification_settings/slack_install/': { verdicts: BROWSER, success: 404 },
  'rest POST /api/v1/notification_settings/slack_install/': {
    verdicts: BROWSER,
    body: { code: 'c', state: 's' },
    success: 400,
  },
  'rest GET /api/v1/notification_deliveries/': { verdicts: PEOPLE },
  'rest GET /api/v1/notification_reach/': { verdicts: PEOPLE },
  'rest GET /api/v1p/printer/': { verdicts: ANYONE, at: shared('/api/v1p/printer/?share_token=') },
  'rest POST /api/v1p/printer/pin/': {
    verdicts: ANYONE,
    body: async (world: World) => ({ share_token: (await aShare(world)).token, pin: '1234' }),
  },
  'page GET /api/v1p/printer/pic/': {
    verdicts: OPEN,
    at: shared('/api/v1p/printer/pic/?share_token='),
    success: 404,
  },

  'rest GET /api/v1/prints/': { verdicts: keyed('read', PEOPLE) },
  'rest GET /api/v1/prints/totals/': { verdicts: keyed('read', PEOPLE) },
  'rest GET /api/v1/prints/:id/': { verdicts: housed('viewer', keyed('read', OWNER)), at: aPrint },
  'rest PATCH /api/v1/prints/:id/': {
    verdicts: housed('owner', keyed('manage', OWNER)),
    at: aPrint,
    body: { alert_overwrite: 'FAILED' },
  },
  'rest PUT /api/v1/prints/:id/': {
    verdicts: housed('owner', keyed('manage', OWNER)),
    at: aPrint,
    body: { alert_overwrite: 'FAILED' },
  },
  'rest DELETE /api/v1/prints/:id/': { verdicts: housed('owner', keyed('manage', OWNER)), at: aPrint },
  'rest GET /api/v1/prints/:id/temperatures/': {
    verdicts: housed('viewer', keyed('read', OWNER)),
    at: printBy('temperatures/'),
  },
  'rest GET /api/v1/prints/:id/link/': { verdicts: housed('viewer', OWNER), at: printBy('link/') },
  'rest PUT /api/v1/prints/:id/link/': {
    verdicts: housed('owner', OWNER),
    at: printBy('link/'),
    success: 400,
  },
  'rest DELETE /api/v1/prints/:id/link/': { verdicts: housed('owner', OWNER), at: printBy('link/') },
  'rest GET /api/v1p/timelapse/': { verdicts: ANYONE, success: 404 },
  'page GET /api/v1p/timelapse/:token/:file': {
    verdicts: OPEN,
    at: () => '/api/v1p/timelapse/nobody/video.mp4',
    success: 404,
  },
  'rest POST /api/v1/prints/bulk_delete/': { verdicts: keyed('manage', PEOPLE), body: { print_ids: [1] } },
  'rest GET /api/v1/prints/stats/': {
    verdicts: keyed('read', PEOPLE),
    at: () =>
      '/api/v1/prints/stats/?from_date=2026-01-01&to_date=2026-01-31&timezone=UTC&group_by=day&with_deleted=true',
  },
  'rest GET /api/v1/printer_events/': { verdicts: keyed('read', PEOPLE) },
  'rest GET /api/v1/printer_events/counts/': { verdicts: PEOPLE },
  'rest GET /api/v1/printer_events/:id/': { verdicts: housed('viewer', keyed('read', OWNER)), at: anEvent },
  'rest POST /api/v1/printer_events/mark_seen/': { verdicts: PEOPLE },

  'rest GET /api/v1/printshotfeedbacks/': { verdicts: PEOPLE },
  'rest GET /api/v1/printshotfeedbacks/:id/': { verdicts: OWNER, at: aShot },
  'rest PUT /api/v1/printshotfeedbacks/:id/': {
    verdicts: OWNER,
    at: aShot,
    body: { answer: 'LOOKS_OK' },
  },
  'rest PATCH /api/v1/printshotfeedbacks/:id/': {
    verdicts: OWNER,
    at: aShot,
    body: { answer: 'LOOKS_OK' },
  },

  'rest GET /ent/api/detection_hours/': { verdicts: PEOPLE },
  'rest GET /ent/api/detection_hours/transactions/': { verdicts: PEOPLE },
  'page GET /ent/api/detection_hours/statement/': { verdicts: BROWSER },
  // The general edition has no plans.
  'rest GET /ent/api/subscriptions/': { verdicts: PEOPLE, success: 404 },
  'rest GET /ent/api/subscriptions/active/': { verdicts: PEOPLE, success: 404 },
  'rest GET /ent/api/detective_hour_coupon_codes/': { verdicts: PEOPLE, success: 404 },
  'rest POST /ent/api/detective_hour_coupon_codes/redeem/': {
    verdicts: PEOPLE,
    body: { code: 'x' },
    success: 404,
  },
  'rest POST /ent/partners/api/redeem/:offer/': {
    verdicts: PEOPLE,
    at: () => '/ent/partners/api/redeem/btt_3m_unlimited/',
    body: { coupon_code: 'x' },
    success: 404,
  },
  'rest GET /ent/partners/api/redeem/:offer/check/': {
    verdicts: ANYONE,
    at: () => '/ent/partners/api/redeem/btt_3m_unlimited/check/',
    success: 404,
  },
  'rest GET /ent/partners/api/pages/:partner/': {
    verdicts: ANYONE,
    at: () => '/ent/partners/api/pages/btt/',
    success: 404,
  },
  'rest GET /api/v1/admin/coupons/': { verdicts: ADMINS, success: 404 },
  'rest POST /api/v1/admin/coupons/': {
    verdicts: ADMINS,
    body: { brand: 'base', hours: 5, count: 1 },
    success: 404,
  },
  'rest GET /ent/api/pricing/': { verdicts: ANYONE, success: 404 },
  'rest GET /ent/generate_pro_checkout_url/': { verdicts: PEOPLE, success: 404 },
  'rest POST /ent/generate_pro_checkout_url/': { verdicts: PEOPLE, body: {}, success: 404 },
  'rest GET /ent/generate_prepaid_dhpack_checkout_url/': { verdicts: PEOPLE, success: 404 },
  'rest GET /ent/generate_portal_session/': { verdicts: PEOPLE, success: 404 },
  'rest POST /ent/api/subscriptions/preview/': { verdicts: PEOPLE, body: PRO, success: 404 },
  'rest POST /ent/api/subscriptions/': { verdicts: PEOPLE, body: PRO, success: 404 },
  'rest POST /ent/api/subscriptions/:id/cancel/': {
    verdicts: PEOPLE,
    at: () => '/ent/api/subscriptions/1/cancel/',
    body: { reason: 'x', acknowledged: true },
    success: 404,
  },
  'rest POST /ent/api/subscriptions/:id/resume/': {
    verdicts: PEOPLE,
    at: () => '/ent/api/subscriptions/1/resume/',
    success: 404,
  },
  'rest GET /ent/api/payments/': { verdicts: PEOPLE, success: 404 },
  'rest POST /ent/webhooks/billing/': { verdicts: ANYONE, success: 404 },
  'page GET /ent/checkout/:token/': { verdicts: ANYONE, at: () => '/ent/checkout/x/', success: 404 },
  // No sandbox: the pages of the browser say that there is nothing.
  'page GET /sandbox/checkout/:token/': { verdicts: ANYONE, at: () => '/sandbox/checkout/x/' },
  'page POST /sandbox/checkout/:token/': { verdicts: ANYONE, at: () => '/sandbox/checkout/x/' },
  'page GET /sandbox/portal/:token/': { verdicts: ANYONE, at: () => '/sandbox/portal/x/' },
  'page POST /sandbox/portal/:token/': { verdicts: ANYONE, at: () => '/sandbox/portal/x/' },
  'page GET /ent_pub/pricing/': { verdicts: ANYONE },
  'rest GET /api/v1/prints/:id/gallery/': { verdicts: housed('viewer', OWNER), at: printBy('gallery/') },
  'rest PUT /api/v1/prints/:id/gallery/': {
    verdicts: housed('owner', OWNER),
    at: printBy('gallery/'),
    body: { creator_name: 'Ada', consent: true },
    success: 400,
  },
  'rest DELETE /api/v1/prints/:id/gallery/': { verdicts: housed('owner', OWNER), at: printBy('gallery/') },
  'rest GET /api/v1/gallery/entries/': { verdicts: ADMINS },
  'rest PATCH /api/v1/gallery/entries/:id/': {
    verdicts: ADMINS,
    at: () => '/api/v1/gallery/entries/1/',
    body: { priority: 1 },
    success: 404,
  },
  'rest GET /api/v1/prints/:id/replay/': { verdicts: housed('viewer', OWNER), at: printBy('replay/') },
  'rest POST /api/v1/prints/:id/replay/': {
    verdicts: housed('owner', OWNER),
    at: printBy('replay/'),
    success: 409,
  },
  'rest DELETE /api/v1/prints/:id/replay/': { verdicts: housed('owner', OWNER), at: printBy('replay/') },
  'rest POST /api/v1/prints/:id/replay/decide/': {
    verdicts: housed('viewer', OWNER),
    at: printBy('replay/decide/'),
    body: {},
  },
  'rest GET /api/v1/prints/:id/replay/run/': {
    verdicts: housed('viewer', OWNER),
    at: printBy('replay/run/'),
  },
  'rest GET /api/v1/prints/:id/replay/frame/': {
    verdicts: housed('viewer', OWNER),
    at: printBy('replay/frame/'),
  },
  'rest GET /ent/api/publictimelapse/': { verdicts: ANYONE },
  'page GET /ent_pub/timelapses/:key/:file': {
    verdicts: OPEN,
    at: () => `/ent_pub/timelapses/${'a'.repeat(22)}/video.mp4`,
    success: 404,
  },
  'page GET /publictimelapses/': { verdicts: OPEN, success: 301 },
  'page GET /publictimelapses': { verdicts: OPEN, success: 301 },

  'rest GET /api/v1/prints/:id/prediction_json/': {
    verdicts: housed('viewer', keyed('read', OWNER)),
    at: printBy('prediction_json/'),
  },
  'rest GET /api/v1/prints/:id/timelapse/': {
    verdicts: housed('viewer', keyed('read', OWNER)),
    at: printBy('timelapse/'),
  },
  'rest GET /api/v1/prints/:id/frames/': {
    verdicts: housed('viewer', keyed('read', OWNER)),
    at: printBy('frames/'),
  },
  'rest GET /api/v1/timelapses/storage/': { verdicts: PEOPLE },
  'page GET /prints/upload/': { verdicts: OPEN, success: 301 },
  // No part of a multipart body: whose what is is tested beside it.
  'rest POST /ent/timelapse_upload/': { verdicts: PEOPLE, success: 415, body: {} },
  'rest POST /ent/timelapse_upload/resumable/': { verdicts: PEOPLE, success: 412 },
  'rest GET /ent/timelapse_upload/resumable/:upload/': somePart('/ent/timelapse_upload/'),
  'rest PATCH /ent/timelapse_upload/resumable/:upload/': somePart('/ent/timelapse_upload/'),
  'rest DELETE /ent/timelapse_upload/resumable/:upload/': somePart('/ent/timelapse_upload/'),
  'rest POST /ent/api/timelapse_upload/': { verdicts: PEOPLE, success: 415, body: {} },
  'rest POST /ent/api/timelapse_upload/resumable/': { verdicts: PEOPLE, success: 412 },
  'rest GET /ent/api/timelapse_upload/resumable/:upload/': somePart('/ent/api/timelapse_upload/'),
  'rest PATCH /ent/api/timelapse_upload/resumable/:upload/': somePart('/ent/api/timelapse_upload/'),
  'rest DELETE /ent/api/timelapse_upload/resumable/:upload/': somePart('/ent/api/timelapse_upload/'),

  'rest GET /api/v1/onetimeverificationcodes/': { verdicts: PEOPLE },
  'rest GET /api/v1/onetimeverificationcodes/:id/': { verdicts: OWNER, at: aCode },
  'rest POST /api/v1/one_time_passcodes/': {
    verdicts: BROWSER,
    body: { one_time_passcode: 'abcde', verification_code: '123456' },
    success: 404,
  },
  'rest GET /api/v1/wizard/products/': { verdicts: ANYONE },
  'rest GET /api/v1/addresses/': {
    verdicts: BROWSER,
    at: () => '/api/v1/addresses/?at=http://localhost',
  },
  'rest GET /api/v1/printer_discovery/': { verdicts: BROWSER },
  'rest POST /api/v1/printer_discovery/': {
    verdicts: BROWSER,
    body: { code: '123456', device_id: 'd'.repeat(32), device_secret: 's' },
    success: 400,
  },
  'rest POST /api/v1/octo/unlinked/': { verdicts: ANYONE, body: UNLINKED },
  'rest POST /api/v1/octo/verify/': {
    verdicts: ANYONE,
    at: () => '/api/v1/octo/verify/?code=000000',
    success: 404,
  },
  'rest GET /api/v1/octo/verify/': {
    verdicts: ANYONE,
    at: () => '/api/v1/octo/verify/?code=000000',
    success: 404,
  },
  'rest POST /api/v1/onetimeverificationcodes/verify/': {
    verdicts: ANYONE,
    at: () => '/api/v1/onetimeverificationcodes/verify/?code=000000',
    success: 404,
  },

  'rest GET /api/v1/octo/printer/': { verdicts: AGENT },
  'rest GET /api/v1/octo/ping/': { verdicts: AGENT },
  'rest PATCH /api/v1/octo/printer/': { verdicts: AGENT, body: { name: 'Other' } },
  'rest POST /api/v1/octo/pic/': { verdicts: AGENT, body: () => picture() },
  'rest POST /api/v1/octo/printer_events/': {
    verdicts: AGENT,
    body: { event_type: 'PRINTER_ERROR', event_class: 'ERROR', event_title: 'x', event_text: 'y' },
  },
  'rest GET /api/v1/octo/g_code_files/': { verdicts: AGENT },
  'rest POST /api/v1/octo/g_code_files/': {
    verdicts: AGENT,
    body: {
      filename: 'a.gcode',
      safe_filename: 'a.gcode',
      num_bytes: 1,
      agent_signature: 'ts:1',
      url: 'a.gcode',
    },
  },
  'rest PATCH /api/v1/octo/g_code_files/:id/': {
    verdicts: { ...AGENT, 'other agent': 404 },
    at: aFile,
    body: { agent_signature: 'ts:2' },
  },
  'rest GET /ent/api/printers/:id/ext/': {
    verdicts: housed(
      'viewer',
      keyed(
        'read',
        verdicts(401, {
          owner: 'in',
          stranger: 404,
          oauth: 'in',
          agent: 'in',
          'other agent': 404,
          'unknown bearer': 403,
        }),
      ),
    ),
    at: ({ printerId }) => `/ent/api/printers/${printerId}/ext/`,
  },
  'rest PATCH /ent/api/printers/:id/ext/': {
    verdicts: housed('owner', keyed('manage', OWNER)),
    at: ({ printerId }) => `/ent/api/printers/${printerId}/ext/`,
    body: { first_layer_scan_zhop: 5 },
  },
  'rest GET /ent/api/octo/printer/ext/': { verdicts: AGENT },
  'rest POST /ent/api/nozzle_cam/pic/': { verdicts: AGENT, body: () => picture() },
  'rest POST /ent/api/nozzle_cam/first_layer_done/': { verdicts: AGENT, body: {} },
  'rest GET /ent/api/first_layer_inspection/': { verdicts: keyed('read', PEOPLE) },
  'rest GET /api/v1/first_layer_inspection/': { verdicts: keyed('read', PEOPLE) },
  'rest GET /api/v1/first_layer_inspection_images/': { verdicts: keyed('read', PEOPLE) },
  'rest GET /api/v1/first_layer_inspection_images/:id/': {
    verdicts: housed('viewer', keyed('read', OWNER)),
    at: layerImage,
  },
  'rest PUT /api/v1/first_layer_inspection_images/:id/': {
    verdicts: housed('owner', OWNER),
    at: layerImage,
    body: { labels: 'gaps|detached' },
  },
  'rest PATCH /api/v1/first_layer_inspection_images/:id/': {
    verdicts: housed('owner', OWNER),
    at: layerImage,
    body: { labels: 'gaps' },
  },
  'rest PATCH /ent/api/first_layer_inspection_image/:id/': {
    verdicts: housed('owner', OWNER),
    at: async (world) => `/ent/api/first_layer_inspection_image/${await aLayerImage(world)}/`,
    body: { labels: 'noIssues' },
  },

  'socket GET /ws/web/:id/': {
    verdicts: housed('viewer', verdicts(403, { owner: 'in' })),
    at: ({ printerId }) => `/ws/web/${printerId}/`,
  },
  'socket GET /ws/web/all/': { verdicts: verdicts(403, { owner: 'in', stranger: 'in' }) },
  // Whoever holds the printer's token, whatever else they send; a wrong credential is still wrong.
  'socket GET /ws/token/web/:token/': {
    verdicts: ANYONE,
    at: ({ agentToken }) => `/ws/token/web/${agentToken}/`,
  },
  'socket GET /ws/janus/:id/': {
    verdicts: housed('viewer', verdicts(403, { owner: 'in', app: 'in' })),
    at: ({ printerId }) => `/ws/janus/${printerId}/`,
  },
  'socket GET /ws/token/janus/:token/': {
    verdicts: ANYONE,
    at: ({ agentToken }) => `/ws/token/janus/${agentToken}/`,
  },
  'socket GET /ws/share_token/janus/:token/': {
    verdicts: ANYONE,
    at: async (world) => `/ws/share_token/janus/${(await aShare(world)).token}/`,
  },
  'socket GET /ws/link/:id/': {
    verdicts: verdicts(403, { owner: 'in', stranger: 404 }),
    at: async (world) => `/ws/link/${(await aCode(world)).split('/').at(-2)}/`,
  },
  'socket GET /ws/share_token/web/:token/': {
    verdicts: ANYONE,
    at: async (world) => `/ws/share_token/web/${(await aShare(world)).token}/`,
  },
  'socket GET /ws/dev/': { verdicts: verdicts(403, { agent: 'in', 'unknown token': 403 }) },
}

const nameOf = ({ kind, method, path }: RouteRow) => `${kind} ${method} ${path}`

/** A tunnel to this printer for an app that the owner has let in: its host, and the credential. */
async function anApp({ owner, printerId }: World): Promise<Door> {
  const answer = await fetch(`${app.url}/api/v1/tunnels/`, {
    method: 'POST',
    headers: { cookie: owner.cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ app_name: 'x', target_printer_id: printerId }),
  })
  const { tunnel_endpoint: endpoint } = (await answer.json()) as { tunnel_endpoint: string }
  const { host, username, password } = new URL(endpoint)
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  return { host, headers: { authorization } }
}

/** The tunnel to this printer for people: its host, and the pass of who came from our page. */
async function aVisit(world: World, { cookie }: TestUser = world.owner): Promise<Door> {
  const led = await fetch(`${app.url}/octoprint/${world.printerId}/`, {
    redirect: 'manual',
    headers: { cookie },
  })
  const { host, pathname, search } = new URL(led.headers.get('location') ?? 'none:')
  const { headers } = await visitAt(app, host, pathname + search)
  return { host, headers: { cookie: String(headers['set-cookie']?.[0]?.split(';', 1)[0]) } }
}

/** Where a tunnel is, and what opens it. */
interface Door {
  readonly host: string
  readonly headers: Record<string, string>
}

/** What stands behind a tunnel's door, with what its own guest is answered: at the tunnel for people, at that of an app. No agent is there. */
const DOORS: Readonly<
  Record<string, { readonly of: 'page' | 'socket'; readonly guests: readonly [number, number] }>
> = {
  'GET /': { of: 'page', guests: [482, 482] },
  'POST /api/printer/command': { of: 'page', guests: [482, 482] },
  'GET /webcam/?action=snapshot': { of: 'page', guests: [404, 404] },
  'GET /_tsd_/tunnelusage/': { of: 'page', guests: [200, 200] },
  'GET /_tsd_/webcam/0/': { of: 'page', guests: [200, 200] },
  // whoever has been let in needs a ticket all the same
  'GET /_tsd_/enter/?ticket=0123456789abcdef': { of: 'page', guests: [401, 401] },
  'GET /websocket': { of: 'socket', guests: [200, 200] },
  'GET /sockjs/1/abcdefgh/websocket': { of: 'socket', guests: [200, 200] },
  // a page has no business with video
  'GET /ws/janus/:id/': { of: 'socket', guests: [404, 200] },
  // nor has an app anywhere else
  'GET /ws/web/:id/': { of: 'socket', guests: [404, 404] },
}

/** An API key of the owner, when it is asked for. */
async function keyIf(
  isWanted: boolean,
  { owner }: World,
  scope: string,
  printerId?: number,
): Promise<Record<string, string>> {
  if (!isWanted) return {}
  const key = `vigil_${randomBytes(32).toString('base64url')}`
  const printerIds = printerId === undefined ? null : asId([printerId])
  await app.ctx.db
    .insertInto('accessTokens')
    .values({ userId: owner.id, application: 'x', kind: 'key', tokenHash: hashOf(key), scope, printerIds })
    .execute()
  return { 'x-api-key': key }
}

/** A member of the owner's household, when they are asked for. */
const memberIf = async (
  isWanted: boolean,
  { member }: World,
  role: HouseholdRole,
): Promise<Record<string, string>> => (isWanted ? { cookie: (await member(role)).cookie } : {})

async function headersOf(
  principal: Principal,
  world: World,
  route: RouteRow,
): Promise<Record<string, string>> {
  const from = { 'x-forwarded-for': `198.51.100.${++counter % 250}`, accept: '*/*' }
  // An agent's socket names its token as bearer, everything else of it as `Token` (docs/wire/agents.md 3, 4.1).
  const scheme = route.path === '/ws/dev/' ? 'bearer' : 'Token'
  const credential: Record<Principal, Record<string, string>> = {
    anonymous: {},
    owner: { cookie: world.owner.cookie },
    stranger: { cookie: world.stranger.cookie },
    viewer: await memberIf(principal === 'viewer', world, 'viewer'),
    operator: await memberIf(principal === 'operator', world, 'operator'),
    'household owner': await memberIf(principal === 'household owner', world, 'owner'),
    oauth: { authorization: `Bearer ${world.owner.token}` },
    slicer: { 'x-api-key': world.slicerToken },
    'read key': await keyIf(principal === 'read key', world, 'read'),
    'operate key': await keyIf(principal === 'operate key', world, 'operate'),
    'manage key': await keyIf(principal === 'manage key', world, 'manage'),
    'printer key': await keyIf(principal === 'printer key', world, 'manage', world.printerId),
    'other key': await keyIf(principal === 'other key', world, 'manage', 2_000_000_000),
    agent: { authorization: `${scheme} ${world.agentToken}` },
    admin: { cookie: world.admin.cookie },
    'other agent': { authorization: `${scheme} ${world.otherAgentToken}` },
    'share link':
      principal === 'share link' ? { authorization: `${scheme} ${(await aShare(world)).token}` } : {},
    'unknown token': { authorization: `${scheme} 0123456789abcdef0123` },
    'unknown bearer': { authorization: 'Bearer 0123456789abcdef0123' },
    app: principal === 'app' ? (await anApp(world)).headers : {},
  }
  return { ...from, ...credential[principal] }
}

/** A value, or the last part of one, that is long enough to be found by accident nowhere. */
const keep = (value: unknown) => {
  const last = String(value).split(/[ =;]/).at(-1) ?? ''
  if (last.length >= 6 && !/^\d{1,9}$/.test(last)) secrets.add(last)
}

/** Remembers what a call has that is secret. */
function keepSecrets(route: RouteRow, path: string, headers: Record<string, string>, body: unknown): void {
  for (const name of ['cookie', 'authorization', 'x-api-key']) if (headers[name]) keep(headers[name])
  const parts = path.split('?', 1).join('').split('/')
  for (const [at, part] of route.path.split('/').entries())
    if (/^:(token|key|upload)/.test(part)) keep(parts[at])
  for (const [name, value] of new URL(path, app.url).searchParams) if (SECRET_FIELD.test(name)) keep(value)
  if (typeof body !== 'object' || body === null || body instanceof FormData) return
  for (const [name, value] of Object.entries(body)) if (SECRET_FIELD.test(name)) keep(value)
}

async function ask(route: RouteRow, row: Row, principal: Principal, world: World): Promise<number> {
  const path = (await row.at?.(world)) ?? route.path
  const headers = await headersOf(principal, world, route)
  if (route.kind === 'socket') {
    keepSecrets(route, path, headers, undefined)
    return dial(path, headers)
  }
  const body = typeof row.body === 'function' ? await row.body(world) : row.body
  keepSecrets(route, path, headers, body)
  const isForm = body instanceof FormData
  const answer = await fetch(app.url + path, {
    method: route.method,
    redirect: 'manual',
    headers: { ...headers, ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  })
  await answer.arrayBuffer()
  return answer.status
}

/** 200 for an open socket, else the status of the refused handshake. */
async function dial(path: string, headers: Record<string, string>): Promise<number> {
  const ws = new WebSocket(app.wsUrl + path, { headers })
  const refused = once(ws, 'unexpected-response').then(
    ([, answer]) => (answer as { statusCode: number }).statusCode,
  )
  const status = await Promise.race([once(ws, 'open').then(() => 200), refused])
  ws.on('error', () => undefined)
  ws.terminate()
  return status
}

describe('who may call what', () => {
  const ROWS_OF_ONE_OWNER = inSuite(48, 16)
  let rows = 0
  let asked = 0
  let people: Omit<World, 'printerId' | 'agentToken'>

  beforeAll(async () => {
    app = await buildTestApp({
      env: { ACCOUNT_ALLOW_SIGN_UP: 'true', TUNNEL_DOMAIN: 'tunnels.example' },
      log: pino({ level: 'debug' }, { write: (line: string) => void said.push(line) }),
    })
    people = await aPeople()
  })

  afterAll(() => app?.close())

  const aPeople = async () => {
    const owner = await aUser(app)
    const slicerToken = await createAccessToken(app.ctx, {
      userId: owner.id,
      application: 'x',
      scope: 'slicer',
    })
    const [stranger, admin] = [await aUser(app), await aUser(app)]
    await app.ctx.db.updateTable('users').set({ isStaff: true }).where('id', '=', admin.id).execute()
    const { auth_token: otherAgentToken } = await aPrinter(app, stranger)
    const members = new Map<HouseholdRole, Promise<TestUser>>()
    const made = async (role: HouseholdRole) => {
      const who = await aUser(app)
      await letIn(app, owner, who, { role })
      return who
    }
    const member = (role: HouseholdRole) => {
      const one = members.get(role) ?? made(role)
      members.set(role, one)
      return one
    }
    return { owner, stranger, admin, otherAgentToken, slicerToken, member }
  }
  const aWorld = async (row: Row): Promise<World> => {
    const world = row.fresh ? await aPeople() : people
    const printer = await aPrinter(app, world.owner)
    return { ...world, printerId: printer.id, agentToken: printer.auth_token }
  }

  /** Words that are nobody's, or of no use as a token. */
  const NOBODYS: readonly Principal[] = ['unknown token', 'unknown bearer', 'share link']
  /**
   * In the gate: everybody who is refused, of those whose words are nobody's one in turn; and of those who are let in the first and
   * one more, in turn.
   */
  const askedOf = ({ verdicts: decided }: Row, all: readonly Principal[]): readonly Principal[] => {
    const [first, ...others] = all.filter((one) => decided[one] === 'in')
    const also = others[rows % Math.max(1, others.length)]
    const isRefused = (one: Principal) =>
      decided[one] !== 'in' && (!NOBODYS.includes(one) || one === NOBODYS[rows % NOBODYS.length])
    return inSuite(
      all.filter((one) => isRefused(one) || one === first || one === also),
      all,
    )
  }

  it('is decided for every route and socket', () => {
    expect(Object.keys(MATRIX).toSorted()).toEqual(
      [...new Set(app.server.app.routeTable.map(nameOf))].toSorted(),
    )
  })

  it.each(Object.keys(MATRIX))('%s', async (name) => {
    const row = MATRIX[name] as Row
    const route = app.server.app.routeTable.find((one) => nameOf(one) === name) as RouteRow
    const found: Record<string, unknown> = {}
    const wanted: Record<string, unknown> = {}
    // an owner of two thousand printers would be another test
    if (++rows % ROWS_OF_ONE_OWNER === 0) people = await aPeople()
    const untouched = await aWorld(row)
    const isAboutIts = row.fresh === true || row.at !== undefined || typeof row.body === 'function'
    for (const principal of askedOf(row, route.kind === 'socket' ? ON_SOCKETS : PRINCIPALS)) {
      asked++
      const world = isAboutIts && row.verdicts[principal] === 'in' ? await aWorld(row) : untouched
      const status = await ask(route, row, principal, world)
      const isSuccess = row.success === undefined ? status >= 200 && status < 300 : status === row.success
      found[principal] = isSuccess && row.verdicts[principal] === 'in' ? 'in' : status
      wanted[principal] = row.verdicts[principal]
    }
    expect(found).toEqual(wanted)
  })

  it('the password of a tunnel shows that printer’s cameras, no other’s, and opens nothing else', async () => {
    const row = { verdicts: OWNER }
    const [mine, other] = [await aWorld(row), await aWorld(row)]
    const { authorization = '' } = (await anApp(mine)).headers
    expect(await dial(`/ws/janus/${mine.printerId}/`, { authorization })).toBe(200)
    expect(await dial(`/ws/janus/${other.printerId}/`, { authorization })).toBe(403)
    // As a proxy in front of us asks for one of its own.
    const proxied = { authorization: `Basic ${btoa('me:secret')}`, cookie: people.owner.cookie }
    expect(await dial(`/ws/janus/${other.printerId}/`, proxied)).toBe(200)
    for (const path of ['users/me/', 'tunnels/', `printers/${mine.printerId}/`])
      expect((await fetch(`${app.url}/api/v1/${path}`, { headers: { authorization } })).status).toBe(403)
  })

  /** Calls whose bodies name what is somebody's, and the tables of which a stranger's may not change a row. */
  const NAMING = [
    'prints',
    'gCodeFolders',
    'gCodeFiles',
    'queueEntries',
    'tunnels',
    'sharedResources',
  ] as const
  const BODIES = [
    ['prints/bulk_delete/', ({ print }) => ({ print_ids: [print] })],
    ['g_code_folders/', ({ folder }) => ({ name: 'Inside', parent_folder: folder })],
    ['g_code_folders/bulk_move/', ({ folder, other }) => ({ folder_ids: [folder], parent_folder: other })],
    ['g_code_folders/bulk_delete/', ({ folder }) => ({ folder_ids: [folder] })],
    ['g_code_files/bulk_move/', ({ file, folder }) => ({ file_ids: [file], parent_folder: folder })],
    ['g_code_files/bulk_delete/', ({ file }) => ({ file_ids: [file] })],
    ['queue/', ({ file, printer }) => ({ g_code_file_id: file, printer_id: printer })],
    ['tunnels/', ({ printer }) => ({ app_name: 'x', target_printer_id: printer })],
    ['sharedresources/', ({ printer }) => ({ printer_id: printer })],
  ] as const satisfies readonly (readonly [string, (ids: Record<string, number>) => object])[]

  /** Waits until no job works, or is due, that calls before have left: of deleted files what was stored goes afterwards. */
  const atRest = () =>
    eventually(async () => {
      const open = await app.ctx.jobs.list(app.ctx.db, { state: 'open', start: 0, limit: 1_000 })
      const isDue = ({ state, nextAt }: (typeof open)[number]) =>
        state === 'running' || (nextAt !== null && nextAt.getTime() <= Date.now())
      return open.some(isDue) ? undefined : true
    })

  it.each(BODIES)(
    '%s: a body that names another’s changes nothing, the owner’s own does',
    async (path, bodyOf) => {
      const world = await aWorld({ verdicts: OWNER })
      const { id: file } = await app.ctx.db
        .insertInto('gCodeFiles')
        .values({
          userId: world.owner.id,
          filename: 'a.gcode',
          safeFilename: 'a.gcode',
          content: JSON.stringify({ container: 'tsd-gcodes', path: `${world.owner.id}/a` }),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const [print, folder, other] = [
        idIn(await aPrint(world)),
        idIn(await aFolder(world)),
        idIn(await aFolder(world)),
      ]
      const body = bodyOf({ print, folder, other, file, printer: world.printerId })
      const rows = () =>
        Promise.all(NAMING.map((table) => app.ctx.db.selectFrom(table).selectAll().orderBy('id').execute()))
      const send = async ({ cookie }: TestUser) => {
        await atRest()
        const before = await rows()
        const { status } = await call(app, 'POST', `/api/v1/${path}`, { cookie, body })
        return { status, isSame: JSON.stringify(await rows()) === JSON.stringify(before) }
      }
      for (const who of [world.stranger, world.admin]) expect(await send(who)).toMatchObject({ isSame: true })
      const own = await send(world.owner)
      expect([own.status < 300, own.isSame]).toEqual([true, false])
    },
  )

  it('no agent reaches a printer but its own', async () => {
    const [mine, theirs] = [await aWorld({ verdicts: OWNER }), await aPrinter(app, people.stranger)]
    const file = await aFile({ ...mine, owner: people.stranger, printerId: theirs.id })
    const answer = await fetch(app.url + file, {
      method: 'PATCH',
      headers: { authorization: `Token ${mine.agentToken}`, 'content-type': 'application/json' },
      body: '{"agent_signature":"ts:3"}',
    })
    expect(answer.status).toBe(404)
  })

  it.each(Object.keys(DOORS))('a tunnel’s door: %s', async (name) => {
    const world = await aWorld({ verdicts: OWNER })
    const other = await aWorld({ verdicts: OWNER })
    const theirs = { ...other, owner: people.stranger, printerId: (await aPrinter(app, people.stranger)).id }
    const [visit, ofApp] = [await aVisit(world), await anApp(world)]
    const route: RouteRow = { kind: 'page', method: 'GET', path: '/', callers: [] }
    const given: Record<string, Record<string, string>> = {
      ...Object.fromEntries(
        await Promise.all(PRINCIPALS.map(async (one) => [one, await headersOf(one, world, route)] as const)),
      ),
      'the pass': visit.headers,
      'the app': ofApp.headers,
      'a pass to another printer of theirs': (await aVisit(other)).headers,
      'a pass of a stranger’s': (await aVisit(theirs)).headers,
      'another app': (await anApp(world)).headers,
      'an app of a stranger’s': (await anApp(theirs)).headers,
    }
    const { of, guests } = DOORS[name]!
    const [method = '', way = ''] = name.replace(':id', String(world.printerId)).split(' ')
    for (const [at, { host }] of [visit, ofApp].entries())
      for (const [who, headers] of Object.entries(given)) {
        keepSecrets(route, way, headers, undefined)
        const asked = { host, origin: `http://${host}`, ...headers }
        const status =
          of === 'socket'
            ? await dial(way, asked)
            : (await visitAt(app, host, way, { method, headers: asked })).status
        expect([at, who, status]).toEqual([at, who, who === ['the pass', 'the app'][at] ? guests[at] : 401])
      }
    expect(Object.keys(given).length).toBeGreaterThan(PRINCIPALS.length)
  })

  it('nothing that was secret in any of these calls was written down', async () => {
    const logged = said.join('')
    expect(said.length).toBeGreaterThan(asked)
    expect(asked).toBeGreaterThan(Object.keys(MATRIX).length * 5)
    expect(secrets.size).toBeGreaterThan(100)
    expect([...secrets].filter((secret) => logged.includes(secret))).toEqual([])
  })
})

describe('the API document', () => {
  type Operation = {
    operationId: string
    parameters: { name: string; in: string }[]
    responses: object
    security: object[]
  }
  type Document = {
    openapi: string
    paths: Record<string, Record<string, Operation>>
    components: { schemas: object; securitySchemes: object }
  }
  let document: Document

  beforeAll(async () => {
    app = await buildTestApp()
    document = (await (await fetch(`${app.url}/api/v1/openapi.json`)).json()) as Document
  })

  afterAll(() => app.close())

  it('lists every REST operation, and nothing else', () => {
    const listed = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const served = app.server.app.routeTable
      .filter(({ kind }) => kind === 'rest')
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
    expect(listed.toSorted()).toEqual(served.toSorted())
  })

  it('is whole: every reference, parameter and scheme is there, and names are unique', () => {
    expect(document.openapi).toBe('3.1.0')
    const text = JSON.stringify(document)
    const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference as string)
    for (const reference of new Set(references)) {
      expect(reference).toMatch(/^#\/components\/schemas\/\w+$/)
      expect(Object.keys(document.components.schemas)).toContain(reference.split('/').at(-1))
    }
    expect(references).toContain('#/components/schemas/Printer')
    const names: string[] = []
    for (const [path, item] of Object.entries(document.paths)) {
      for (const operation of Object.values(item)) {
        names.push(operation.operationId)
        const inPath = operation.parameters.filter((one) => one.in === 'path').map(({ name }) => name)
        expect([path, inPath]).toEqual([path, [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)])
        for (const scheme of operation.security.flatMap(Object.keys))
          expect(Object.keys(document.components.securitySchemes)).toContain(scheme)
        expect(Object.keys(operation.responses)).toContain('default')
      }
    }
    expect(new Set(names).size).toBe(names.length)
    expect(text).not.toContain('$defs')
  })
})
