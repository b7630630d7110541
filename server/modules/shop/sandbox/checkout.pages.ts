import { fieldsOf } from '@vigil/contract/fields.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import {
  type Card,
  CARD_NAMES,
  CARDS,
  type Sandbox,
  TAX_PERCENT,
  taxOf,
} from '../../../engines/billing/index.ts'
import { serverPage } from '../../../http/page.ts'
import { wordIn } from '../../../http/words.ts'
import { type Html, html } from '../../../lib/html.ts'
import { moneyIn, sandboxPage, sayTo } from './sandbox.parts.ts'

const PATH = '/sandbox/checkout/:token/'

export const pageOf = (request: FastifyRequest) => wordIn(fieldsOf(request.params), 'token', 100)
export const cardOf = (request: FastifyRequest): Card | undefined => {
  const said = wordIn(fieldsOf(request.body), 'card', 20)
  return CARD_NAMES.find((name) => name === said)
}

/** Cards to choose from, each with what becomes of it. */
export const cards = (
  say: ReturnType<typeof sayTo>,
  chosen: Card,
  names: readonly Card[] = CARD_NAMES,
): Html[] =>
  names.map(
    (name) =>
      html`<label class="check">
        <input type="radio" name="card" value="${name}" ${name === chosen && 'checked'} />
        <span>${CARDS[name]}<br />${say(`card.${name}`)}</span>
      </label>`,
  )

/** The page on which one pays with a card that is none. Its address is known to its buyer alone. */
export function checkoutPages(app: FastifyInstance, ctx: Ctx, sandbox: Sandbox | null): void {
  serverPage(app, { path: PATH, callers: ['anyone'] }, async (request, reply) => {
    if (sandbox === null) return await app.showPage(request, reply)
    return await page(ctx, sandbox, { request, reply }, null)
  })
  serverPage(app, { method: 'POST', path: PATH, callers: ['anyone'] }, async (request, reply) => {
    if (sandbox === null) return await app.showPage(request, reply)
    const card = cardOf(request)
    const shown = await sandbox.shown(pageOf(request))
    if (card === undefined || shown === null) return await page(ctx, sandbox, { request, reply }, null)
    const isConfirmed = wordIn(fieldsOf(request.body), 'confirmed', 5) === 'yes'
    const tried = await sandbox.pay(pageOf(request), card, isConfirmed)
    if (tried === 'paid' || tried === 'pending') return reply.redirect(shown.returnTo, 303)
    return await page(ctx, sandbox, { request, reply }, tried)
  })
}

interface Seen {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

async function page(
  ctx: Ctx,
  sandbox: Sandbox,
  seen: Seen,
  tried: 'declined' | 'confirm' | 'gone' | null,
): Promise<Html> {
  const { request, reply } = seen
  const say = sayTo(request)
  const shown = await sandbox.shown(pageOf(request))
  const isOver = shown === null || shown.state !== 'open' || shown.expiresAt.getTime() <= ctx.clock.now()
  if (isOver) {
    reply.status(404)
    return sandboxPage(ctx, seen, { title: say('goneTitle'), body: html`<p>${say('gone')}</p>` })
  }
  if (tried === 'confirm')
    return sandboxPage(ctx, seen, { title: say('confirmTitle'), body: confirmation(say) })
  const money = moneyIn(request, shown.currency)
  const net = shown.lines.reduce((sum, line) => sum + line.cents, -shown.firstOffCents)
  const rows: [string, number][] = [
    ...shown.lines.map((line): [string, number] => [line.name, line.cents]),
    ...(shown.firstOffCents > 0 ? [[say('off'), -shown.firstOffCents] satisfies [string, number]] : []),
    [say('tax', { percent: TAX_PERCENT }), taxOf(net)],
    [say('total'), net + taxOf(net)],
  ]
  return sandboxPage(ctx, seen, {
    title: say('title'),
    body: html`<dl class="bill">
        ${rows.map(
          ([name, cents]) =>
            html`<dt>${name}</dt>
              <dd>${money(cents)}</dd>`,
        )}
      </dl>
      ${tried === 'declined' && html`<p class="bad" role="alert">${say('declined')}</p>`}
      <form method="post">
        ${cards(say, tried === 'declined' ? 'declined' : 'works')}
        <button>${say('pay', { amount: money(net + taxOf(net)) })}</button>
      </form>
      <p class="foot"><a href="${shown.cancelTo}">${say('leave')}</a></p>`,
  })
}

const confirmation = (say: ReturnType<typeof sayTo>): Html =>
  html`<p>${say('confirm')}</p>
    <form method="post" class="pair">
      <input type="hidden" name="confirmed" value="yes" />
      <button name="card" value="declined" class="quiet">${say('confirmNo')}</button>
      <button name="card" value="confirm">${say('confirmYes')}</button>
    </form>`
