import { type Fields, fieldsOf } from '@vigil/contract/fields.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { signUp as signUpEndpoint } from '@vigil/contract/people/accounts.ts'
import type { Ctx } from '../../../ctx.ts'
import { refuseActing } from '../../../http/acting.ts'
import { accountBrandOf } from '../../../http/brands.ts'
import { doorPage } from '../../../http/door-page.ts'
import { AppError, fieldErrors, forbidden } from '../../../http/errors.ts'
import { contentPolicy } from '../../../http/headers.ts'
import { serverPage } from '../../../http/page.ts'
import { languageOf } from '../../../http/route.ts'
import {
  browserOf,
  sessionCookies,
  setBrowserCookie,
  setSessionCookie,
} from '../../../http/session-cookie.ts'
import { Text, text } from '../../../http/texts.ts'
import { html, type Html } from '../../../lib/html.ts'
import { signIn, signUp } from './accounts.service.ts'
import type { Opened } from '../sessions/opening.service.ts'
import { enterByFactor } from '../factors/entering.service.ts'
import { sessionPrincipal } from '../sessions/sessions.ts'
import { wordIn } from '../../../http/words.ts'

const LOGIN = '/mobile/auth/login/'
const SIGN_UP = '/mobile/auth/signup/'
const FACTOR = '/mobile/auth/factor/'
const FETCH = '/mobile/auth/fetch/'

/** Sign-in of the phone apps, in a web view of theirs, and the page that hands the session's key over (docs/wire/browsers.md 5). */
export function mobilePages(app: FastifyInstance, ctx: Ctx): void {
  const open = async (request: FastifyRequest, reply: FastifyReply, enter: () => Promise<Opened>) => {
    const opened = await enter()
    setSessionCookie(reply, request.edge, opened)
    setBrowserCookie(reply, request.edge, opened.browserToken)
    return reply.redirect(`${request.edge.prefix}${FETCH}`, 302)
  }
  const whereAt = (request: FastifyRequest) => ({
    brand: accountBrandOf(request, ctx).name,
    language: languageOf(request),
    edge: request.edge,
    browser: browserOf(request),
  })

  serverPage(app, { path: LOGIN, callers: ['anyone'] }, async (request) => loginPage(ctx, request, {}, {}))
  serverPage(app, { method: 'POST', path: LOGIN, callers: ['anyone'] }, async (request, reply) => {
    const fields = fieldsOf(request.body)
    const given = { email: wordIn(fields, 'login').trim(), password: wordIn(fields, 'password') }
    const remember = fields['remember'] !== undefined
    return open(request, reply, () => signIn(ctx, { ...given, ...whereAt(request), remember })).catch(
      (error: unknown) => {
        const ticket = ticketIn(error)
        return ticket === null
          ? loginPage(ctx, request, fields, refusals(error, reply))
          : codePage(ctx, request, ticket, {})
      },
    )
  })
  factorPage(app, ctx, open)
  serverPage(app, { path: SIGN_UP, callers: ['anyone'] }, async (request, reply) =>
    ctx.config.ACCOUNT_ALLOW_SIGN_UP
      ? signUpPage(ctx, request, {}, {})
      : reply.redirect(`${request.edge.prefix}${LOGIN}`, 302),
  )
  serverPage(app, { method: 'POST', path: SIGN_UP, callers: ['anyone'] }, async (request, reply) => {
    const fields = fieldsOf(request.body)
    return open(request, reply, async () => {
      const password = wordIn(fields, 'password1')
      const checked = signUpEndpoint.body.safeParse({ email: wordIn(fields, 'email'), password })
      if (!checked.success) throw new AppError(400, fieldErrors(checked.error))
      if (wordIn(fields, 'password2') !== password)
        throw new AppError(400, { password2: [text('mobile-server', 'differ')] })
      return await signUp(ctx, { ...checked.data, ...whereAt(request) })
    }).catch((error: unknown) => signUpPage(ctx, request, fields, refusals(error, reply)))
  })
  serverPage(app, { path: FETCH, callers: ['anyone'] }, (request, reply) => handOver(ctx, request, reply))
}

type Open = (
  request: FastifyRequest,
  reply: FastifyReply,
  enter: () => Promise<Opened>,
) => Promise<FastifyReply>

function factorPage(app: FastifyInstance, ctx: Ctx, open: Open): void {
  serverPage(app, { method: 'POST', path: FACTOR, callers: ['anyone'] }, async (request, reply) => {
    const fields = fieldsOf(request.body)
    const [ticket, code] = [wordIn(fields, 'ticket'), wordIn(fields, 'code')]
    const from = { edge: request.edge, browser: browserOf(request) }
    return open(request, reply, () => enterByFactor(ctx, { ...from, ticket, shown: { code } })).catch(
      (error: unknown) => {
        const said = refusals(error, reply)
        return 'ticket' in said
          ? loginPage(ctx, request, {}, { detail: said['ticket'] ?? [] })
          : codePage(ctx, request, ticket, said)
      },
    )
  })
}

/** The key of the session, for the app around the page: only where the page itself is shown, so that no script and no frame reads it. */
async function handOver(
  ctx: Ctx,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Html | FastifyReply> {
  const { principal, headers } = request
  refuseActing(principal)
  const shown = headers['sec-fetch-dest']
  if (shown !== undefined && shown !== 'document') throw forbidden()
  reply
    .header('content-security-policy', contentPolicy(ctx.config, { isNeverFramed: true }))
    .header('x-frame-options', 'DENY')
    .header('referrer-policy', 'no-referrer')
  if (principal.kind !== 'user' || principal.sessionId === null)
    return reply.redirect(`${request.edge.prefix}${LOGIN}`, 302)
  for (const { token } of sessionCookies(request)) {
    if ((await sessionPrincipal(ctx, token))?.sessionId !== principal.sessionId) continue
    const say = sayTo(request)
    return doorPage(request, ctx, {
      title: say('signedIn'),
      body: html`<p>${say('signedInText')}</p>
        <div id="view" hidden>${token}</div>`,
    })
  }
  return reply.redirect(`${request.edge.prefix}${LOGIN}`, 302)
}

/** The password was right and a second factor is wanted: what the second step is begun with. */
function ticketIn(error: unknown): string | null {
  const body: unknown = error instanceof AppError ? error.body : null
  if (typeof body !== 'object' || body === null || !('ticket' in body)) return null
  return typeof body.ticket === 'string' ? body.ticket : null
}

type Refusals = Readonly<Record<string, readonly (string | Text)[]>>

/** What was refused, as the API says it: by field, or under `detail`. What is not a refusal is raised again. */
function refusals(error: unknown, reply: FastifyReply): Refusals {
  if (!(error instanceof AppError) || error.status >= 500) throw error
  if (error.status === 429) reply.status(429).headers(error.headers)
  const body = error.body as Record<string, string | Text | readonly (string | Text)[]>
  return Object.fromEntries(
    Object.entries(body).map(([name, said]) => [
      name,
      typeof said === 'string' || said instanceof Text ? [said] : said,
    ]),
  )
}

const sayTo = (request: FastifyRequest) => {
  const language = languageOf(request)
  return (key: string, params?: Record<string, string>) => text('mobile-server', key, params).in(language)
}

interface Field {
  readonly name: string
  readonly label: string
  readonly type: 'email' | 'password' | 'text'
  readonly autocomplete: string
  readonly value?: string
}

function fieldOf(request: FastifyRequest, field: Field, said: readonly (string | Text)[] = []): Html {
  const language = languageOf(request)
  const { name, label, type, autocomplete, value = '' } = field
  return html`<label
    >${label}<input name="${name}" type="${type}" autocomplete="${autocomplete}" value="${value}" required />
    ${said.map((one) => html`<small role="alert">${one instanceof Text ? one.in(language) : one}</small>`)}</label
  >`
}

const generalOf = (request: FastifyRequest, { non_field_errors: general = [], detail = [] }: Refusals) =>
  [...general, ...detail].map(
    (one) => html`<p class="bad" role="alert">${one instanceof Text ? one.in(languageOf(request)) : one}</p>`,
  )

function loginPage(ctx: Ctx, request: FastifyRequest, fields: Fields, said: Refusals): Html {
  const say = sayTo(request)
  const { prefix } = request.edge
  const email = {
    name: 'login',
    label: say('email'),
    type: 'email',
    autocomplete: 'username',
    value: wordIn(fields, 'login'),
  } as const
  const password = {
    name: 'password',
    label: say('password'),
    type: 'password',
    autocomplete: 'current-password',
  } as const
  return doorPage(request, ctx, {
    title: say('signIn'),
    body: html`${generalOf(request, said)}
      <form method="post" action="${prefix}${LOGIN}">
        ${fieldOf(request, email, said['email'])}${fieldOf(request, password, said['password'])}
        <label class="check"><input type="checkbox" name="remember" checked />${say('remember')}</label>
        <button>${say('signIn')}</button>
      </form>
      ${ctx.config.providers.map(
        ({ id, name }) =>
          html`<p class="foot">
            <a href="${prefix}/accounts/${id}/login/?next=${encodeURIComponent(FETCH)}"
              >${say('signInBy', { name })}</a
            >
          </p>`,
      )}
      <p class="foot"><a href="${prefix}/accounts/password/reset/">${say('forgot')}</a></p>
      ${
        ctx.config.ACCOUNT_ALLOW_SIGN_UP &&
        html`<p class="foot"><a href="${prefix}${SIGN_UP}">${say('signUp')}</a></p>`
      }`,
  })
}

/** The second step, by a code: web views of apps know no passkeys. */
function codePage(ctx: Ctx, request: FastifyRequest, ticket: string, said: Refusals): Html {
  const say = sayTo(request)
  const { prefix } = request.edge
  const field = { name: 'code', label: say('code'), type: 'text', autocomplete: 'one-time-code' } as const
  return doorPage(request, ctx, {
    title: say('secondStep'),
    body: html`<p>${say('secondStepText')}</p>
      ${generalOf(request, said)}
      <form method="post" action="${prefix}${FACTOR}">
        <input type="hidden" name="ticket" value="${ticket}" />
        ${fieldOf(request, field, said['code'])}
        <button>${say('signIn')}</button>
      </form>
      <p class="foot"><a href="${prefix}${LOGIN}">${say('back')}</a></p>`,
  })
}

function signUpPage(ctx: Ctx, request: FastifyRequest, fields: Fields, said: Refusals): Html {
  const say = sayTo(request)
  const { prefix } = request.edge
  const rows: [Field, Refusals[string] | undefined][] = [
    [
      {
        name: 'email',
        label: say('email'),
        type: 'email',
        autocomplete: 'email',
        value: wordIn(fields, 'email'),
      },
      said['email'],
    ],
    [
      { name: 'password1', label: say('newPassword'), type: 'password', autocomplete: 'new-password' },
      said['password'],
    ],
    [
      { name: 'password2', label: say('again'), type: 'password', autocomplete: 'new-password' },
      said['password2'],
    ],
  ]
  return doorPage(request, ctx, {
    title: say('signUp'),
    body: html`${generalOf(request, said)}
      <form method="post" action="${prefix}${SIGN_UP}">
        ${rows.map(([field, errors]) => fieldOf(request, field, errors))}
        <button>${say('signUp')}</button>
      </form>
      <p class="foot"><a href="${prefix}${LOGIN}">${say('signIn')}</a></p>`,
  })
}
