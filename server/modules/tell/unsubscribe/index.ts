import { fieldsOf } from '@vigil/contract/fields.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { doorPage } from '../../../http/door-page.ts'
import { byAddress, spend } from '../../../http/limits.ts'
import { serverPage } from '../../../http/page.ts'
import { languageOf } from '../../../http/route.ts'
import { text } from '../../../http/texts.ts'
import { html, type Html } from '../../../lib/html.ts'
import { findByToken, leave } from './unsubscribe.queries.ts'
import { type List, listOf } from './unsubscribe.rules.ts'

const PATH = '/unsubscribe_email/'
const LIMIT = { name: 'unsubscribe', tries: 60, windowMs: 60_000 }
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

interface Wish {
  readonly userId: UserId
  readonly list: List
  readonly word: string
  readonly token: string
}

/**
 * The link below letters: opening it asks, its button takes off the list, and so does the one click of a mail program
 * (RFC 8058), which posts to the same address. Needs no sign-in.
 */
export function registerUnsubscribe(app: FastifyInstance, ctx: Ctx): void {
  serverPage(app, { path: PATH, callers: ['anyone'] }, async (request, reply) => {
    const wish = await wishOf(ctx, request)
    return wish ? page(ctx, request, wish, 'ask') : nothing(ctx, request, reply)
  })
  serverPage(app, { method: 'POST', path: PATH, callers: ['anyone'] }, async (request, reply) => {
    const wish = await wishOf(ctx, request)
    if (wish === null) return nothing(ctx, request, reply)
    await leave(ctx.db, wish.userId, wish.list, new Date(ctx.clock.now()))
    return page(ctx, request, wish, 'done')
  })
}

/** What a link asks for; null when nothing is behind it. */
async function wishOf(ctx: Ctx, { query, edge }: FastifyRequest): Promise<Wish | null> {
  await spend(ctx, ...byAddress(LIMIT, edge.address))
  const { unsub_token: token, list: word } = fieldsOf(query)
  if (typeof token !== 'string' || typeof word !== 'string' || !UUID.test(token)) return null
  const list = listOf(word)
  const user = list && (await findByToken(ctx.db, token))
  return list && user ? { userId: user.id, list, word, token } : null
}

const words = (request: FastifyRequest) => {
  const language = languageOf(request)
  return (key: string, params: Record<string, string> = {}) =>
    text('unsubscribe-server', key, params).in(language)
}

function page(ctx: Ctx, request: FastifyRequest, { word, token }: Wish, state: 'ask' | 'done'): Html {
  const say = words(request)
  const { prefix } = request.edge
  const about = say(word)
  const preferences = html`<p class="foot">
    <a href="${prefix}/user_preferences/">${say('preferences')}</a>
  </p>`
  if (state === 'done')
    return doorPage(request, ctx, {
      title: say('doneTitle'),
      body: html`<p role="status">${say('doneText', { about })}</p>
        ${preferences}`,
    })
  const action = `${prefix}${PATH}?unsub_token=${token}&list=${word}`
  return doorPage(request, ctx, {
    title: say('askTitle'),
    body: html`<p>${say('askText', { about })}</p>
      <form method="post" action="${action}"><button>${say('button')}</button></form>
      ${preferences}`,
  })
}

function nothing(ctx: Ctx, request: FastifyRequest, reply: FastifyReply): Html {
  reply.status(404)
  const say = words(request)
  return doorPage(request, ctx, { title: say('overTitle'), body: html`<p>${say('overText')}</p>` })
}
