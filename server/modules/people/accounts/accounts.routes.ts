import { randomBytes } from 'node:crypto'
import * as contract from '@vigil/contract/people/accounts.ts'
import type { Reply } from '@vigil/contract/endpoint.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Id } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { accountBrandOf, brandOf, rememberBrand } from '../../../http/brands.ts'
import type { Edge } from '../../../http/edge.ts'
import { forbidden } from '../../../http/errors.ts'
import { platformOf } from '../../../http/platform.ts'
import { inNameOf, type Principal } from '../../../http/principal.ts'
import { languageOf, route } from '../../../http/route.ts'
import {
  browserOf,
  clearSessionCookie,
  setBrowserCookie,
  setSessionCookie,
} from '../../../http/session-cookie.ts'
import { isUnlimited } from '../../shop/hours/index.ts'
import { presentBrand, presentUser } from '../users/users.present.ts'
import { findUser, hasUsers, touchUser, type UserRow } from '../users/users.queries.ts'
import { activity } from '../users/users.rules.ts'
import { changeMe, setUp, signIn, signOut, signUp } from './accounts.service.ts'
import type { Opened } from '../sessions/opening.service.ts'
import { followSessions } from '../sessions/sessions.ts'
import { actingUntil } from '../sessions/sessions.queries.ts'
import { mayAdminister } from '../users/admin.policy.ts'
import { sessionRoutes } from '../sessions/sessions.routes.ts'
import { factorRoutes } from '../factors/factors.routes.ts'
import { mobilePages } from './mobile.pages.ts'
import { oldPages } from './old.pages.ts'
import { browserWord, providerPages } from './provider.pages.ts'
import { connectHeld } from '../identities/identities.service.ts'
import { passwordRoutes } from '../passwords/passwords.routes.ts'

/** Sign-in, sign-up, first run and the user's own record (docs/wire/rest.md 5.4; docs/rules/people.md 1). */
export function registerAccounts(app: FastifyInstance, ctx: Ctx): void {
  const present: Present = (user, reader) =>
    presentUser(user, {
      reader,
      isUnlimited: isUnlimited(ctx, user),
      brandId: ctx.config.brands.find(({ name }) => name === user.brand)?.id ?? ctx.config.brands[0].id,
    })
  const answer = (opened: Opened, { reply, edge }: { reply: FastifyReply; edge: Edge }) => {
    setSessionCookie(reply, edge, opened)
    setBrowserCookie(reply, edge, opened.browserToken)
    return present(opened.user, inNameOf({ userId: opened.user.id }))
  }
  const endCurrent = async (principal: { kind: string; sessionId?: Id<'sessions'> | null }) => {
    if (principal.kind === 'user' && principal.sessionId != null) await signOut(ctx, principal.sessionId)
  }

  /** Lets in; `link` connects the provider from which somebody has come, once they have shown whose the account is. */
  const open = async (opened: Opened, request: FastifyRequest, reply: FastifyReply, link?: string) => {
    const { principal, edge } = request
    await endCurrent(principal)
    if (link !== undefined)
      await connectHeld(ctx, { user: opened.user, ticket: link, browser: browserWord(request) })
    return answer(opened, { reply, edge })
  }

  registerBootstrap(app, ctx, present)
  route(app, contract.setUp, async ({ body, edge, request, reply }) =>
    answer(await setUp(ctx, { ...body, ...whereAt(ctx, request), edge }), { reply, edge }),
  )
  route(app, contract.login, async ({ body, edge, request, reply }) =>
    open(await signIn(ctx, { ...body, ...whereAt(ctx, request), edge }), request, reply, body.link),
  )
  route(app, contract.signUp, async ({ body, edge, request, reply }) =>
    open(await signUp(ctx, { ...body, ...whereAt(ctx, request), edge }), request, reply),
  )
  route(app, contract.logout, async ({ principal, edge, reply }) => {
    await endCurrent(principal)
    clearSessionCookie(reply, edge)
    return null
  })
  passwordRoutes(app, ctx)
  sessionRoutes(app, ctx)
  factorRoutes(app, ctx, open)
  providerPages(app, ctx, open)
  mobilePages(app, ctx)
  oldPages(app, async (request, reply) => {
    await endCurrent(request.principal)
    clearSessionCookie(reply, request.edge)
  })
  registerMe(app, ctx, present)
  follow(app, ctx)
}

/** The brand whose accounts are meant, the language, and which browser it is. */
const whereAt = (ctx: Ctx, request: FastifyRequest) => ({
  brand: accountBrandOf(request, ctx).name,
  language: languageOf(request),
  browser: browserOf(request),
})

function follow(app: FastifyInstance, ctx: Ctx): void {
  let stopFollowing: (() => void) | undefined
  app.addHook('onReady', async () => {
    stopFollowing = await followSessions(ctx)
  })
  app.addHook('onClose', async () => stopFollowing?.())
}

type Present = (user: UserRow, reader: Principal) => contract.User

function registerMe(app: FastifyInstance, ctx: Ctx, present: Present): void {
  route(app, contract.getMe, async ({ principal }) => {
    const user = await findUser(ctx.db, principal.userId)
    if (user === undefined) throw forbidden()
    return present(user, principal)
  })
  route(app, contract.updateMe, async ({ principal, body }) =>
    present(
      await changeMe(ctx, principal.userId, {
        firstName: body.first_name,
        lastName: body.last_name,
        accountNotificationByEmail: body.account_notification_by_email,
        notificationEnabled: body.notification_enabled,
        unseenPrinterEvents: body.unseen_printer_events,
        language: body.language,
        timeZone: body.time_zone,
        theme: body.theme,
      }),
      principal,
    ),
  )
}

/** Opening the client counts as being there; written at most once an hour, and nobody waits for it. */
function noteActive(ctx: Ctx, { id, lastActiveAt }: UserRow): void {
  const seen = activity(ctx.clock.now())
  if (lastActiveAt !== null && lastActiveAt > seen.before) return
  touchUser(ctx.db, id, seen).catch((error: unknown) => ctx.log.warn({ err: error }, 'a visit was not noted'))
}

/** As whom an administrator acts here; null: everybody is themselves. */
async function actingOf(ctx: Ctx, principal: Principal): Promise<Bootstrap['acting']> {
  if (principal.kind !== 'user' || principal.staffId === undefined || principal.sessionId === null)
    return null
  const [staff, until] = await Promise.all([
    findUser(ctx.db, principal.staffId),
    actingUntil(ctx.db, principal.sessionId, new Date(ctx.clock.now())),
  ])
  return staff === undefined || until === null ? null : { by: staff.email, until: until.toISOString() }
}
type Bootstrap = Reply<typeof contract.bootstrap>

/** What the web client asks first; needs no credential (docs/rules/people.md 1). */
function registerBootstrap(app: FastifyInstance, ctx: Ctx, present: Present): void {
  const { config } = ctx
  const settings = () => ({
    VERSION: config.version,
    ACCOUNT_ALLOW_SIGN_UP: config.ACCOUNT_ALLOW_SIGN_UP,
    EMAIL_ENABLED: ctx.mail.isConfigured,
    RECAPTCHA_SITE_KEY: null,
    SENTRY_DSN: config.SENTRY_DSN ?? null,
    IS_ENT: config.IS_ENT,
    SHARING_ENABLED: config.SHARING_ENABLED,
    TWILIO_COUNTRY_CODES: [],
    SUPPORT_EMAIL: ctx.config.SUPPORT_EMAIL ?? null,
  })
  // An instance that had a user once needs no set-up any more: most calls ask the database nothing more.
  let isSetUp = false
  route(app, contract.bootstrap, async ({ principal, edge, request, reply }) => {
    rememberBrand(request, reply, ctx)
    // A key is for what it names, and nobody here.
    const isPerson = principal.kind === 'user' && principal.via !== 'key'
    const user = isPerson ? await findUser(ctx.db, principal.userId) : undefined
    isSetUp ||= user !== undefined || (await hasUsers(ctx.db))
    const acting = await actingOf(ctx, principal)
    if (user && acting === null) noteActive(ctx, user)
    return {
      user: user ? present(user, principal) : null,
      settings: settings(),
      page_context: {
        app_platform: platformOf(request),
        language: languageOf(request),
        syndicate: presentBrand(brandOf(request, ctx)),
      },
      // The API is guarded by Origin and Sec-Fetch-Site; old clients send this word and nobody checks it.
      csrf_token: randomBytes(16).toString('hex'),
      social_providers: config.providers.map(({ id }) => id),
      providers: config.providers.map(({ id, name, logo }) => ({ id, name, logo })),
      setup_required: !isSetUp,
      is_admin: user?.isStaff === true && mayAdminister(ctx, edge),
      acting,
    }
  })
}
