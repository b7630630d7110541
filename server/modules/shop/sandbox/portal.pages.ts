import { fieldsOf } from '@vigil/contract/fields.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { type Billed, type Paid, type Sandbox, totalOf } from '../../../engines/billing/index.ts'
import { serverPage } from '../../../http/page.ts'
import { wordIn } from '../../../http/words.ts'
import { type Html, html } from '../../../lib/html.ts'
import { cardOf, cards, pageOf } from './checkout.pages.ts'
import { dayIn, moneyIn, sandboxPage, sayTo } from './sandbox.parts.ts'

const PATH = '/sandbox/portal/:token/'
const DAY_MS = 86_400_000
/** What can be let pass at once. */
const PASSES: Readonly<Record<string, number | 'bill'>> = { day: DAY_MS, week: 8 * DAY_MS, bill: 'bill' }

/** The page on which the card is changed, receipts stand, and time passes. Its address is known to its owner alone, for an hour. */
export function portalPages(app: FastifyInstance, ctx: Ctx, sandbox: Sandbox | null): void {
  serverPage(app, { path: PATH, callers: ['anyone'] }, async (request, reply) => {
    if (sandbox === null) return await app.showPage(request, reply)
    return await page(ctx, sandbox, { request, reply })
  })
  serverPage(app, { method: 'POST', path: PATH, callers: ['anyone'] }, async (request, reply) => {
    if (sandbox === null) return await app.showPage(request, reply)
    await act(sandbox, request)
    return reply.redirect(`${request.edge.prefix}/sandbox/portal/${pageOf(request)}/`, 303)
  })
}

async function act(sandbox: Sandbox, request: FastifyRequest): Promise<void> {
  const shown = await sandbox.portalShown(pageOf(request))
  if (shown === null) return
  const said = fieldsOf(request.body)
  const [running] = shown.subscriptions.filter(({ state }) => state !== 'ended')
  const card = cardOf(request)
  if (card !== undefined) return await sandbox.setCard(shown.customerId, card)
  if (running === undefined) return
  const ms = PASSES[wordIn(said, 'pass', 10)]
  if (ms !== undefined) return await sandbox.letPass(running.id, ms)
  const ending = wordIn(said, 'ending', 5)
  if (ending !== '') await sandbox.setEnding(running.id, ending === 'yes')
}

async function page(
  ctx: Ctx,
  sandbox: Sandbox,
  seen: { request: FastifyRequest; reply: FastifyReply },
): Promise<Html> {
  const { request, reply } = seen
  const say = sayTo(request)
  const shown = await sandbox.portalShown(pageOf(request))
  if (shown === null) {
    reply.status(404)
    return sandboxPage(ctx, seen, { title: say('goneTitle'), body: html`<p>${say('gone')}</p>` })
  }
  const [running] = shown.subscriptions.filter(({ state }) => state !== 'ended')
  const payments = shown.subscriptions.flatMap((one) => one.payments)
  return sandboxPage(ctx, seen, {
    title: say('portal'),
    body: html`${running === undefined ? html`<p>${say('nothingRuns')}</p>` : plan(request, running)}
      <form method="post">
        ${cards(say, shown.card ?? 'works', ['works', 'declined', 'renewal'])}
        <button>${say('useCard')}</button>
      </form>
      ${payments.length > 0 && receipts(request, payments)}
      <p class="foot"><a href="${shown.returnTo}">${say('back')}</a></p>`,
  })
}

function plan(request: FastifyRequest, billed: Billed): Html {
  const say = sayTo(request)
  const day = dayIn(request)(billed.termEnd)
  const amount = moneyIn(request, billed.currency)(totalOf(billed.next?.deal ?? billed.deal))
  const key = billed.state === 'past_due' ? 'owed' : billed.willEnd ? 'ends' : 'runs'
  return html`<p>${say(key, { day, amount })}</p>
    <form method="post" class="pair">
      <button class="quiet" name="pass" value="day">${say('passDay')}</button>
      <button class="quiet" name="pass" value="week">${say('passWeek')}</button>
      <button class="quiet" name="pass" value="bill">${say('passBill')}</button>
      <button class="quiet" name="ending" value="${billed.willEnd ? 'no' : 'yes'}">
        ${say(billed.willEnd ? 'goOn' : 'cancel')}
      </button>
    </form>`
}

function receipts(request: FastifyRequest, payments: readonly Paid[]): Html {
  const day = dayIn(request)
  return html`<dl class="bill">
    ${payments.map(
      ({ at, cents, currency }) =>
        html`<dt>${day(at)}</dt>
          <dd>${moneyIn(request, currency)(cents)}</dd>`,
    )}
  </dl>`
}
