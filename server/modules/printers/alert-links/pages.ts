import { fieldsOf } from '@vigil/contract/fields.ts'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { brandOf } from '../../../http/brands.ts'
import { doorPage } from '../../../http/door-page.ts'
import { inNameOf } from '../../../http/principal.ts'
import { languageOf } from '../../../http/route.ts'
import { text } from '../../../http/texts.ts'
import { html, type Html } from '../../../lib/html.ts'
import { type AlertLinkRow, noticePictureUrl, noticeWords } from '../../tell/notifications/index.ts'
import { getPrinter } from '../printers/index.ts'
import type { Act, Done } from './acts.service.ts'
import { findStanding, type Standing } from './standing.queries.ts'

const HEATERS_MOST = 6

/** How a printer stands, by the name of its text. What agents report is looked at before it is believed. */
function stateOf({ status, current_print: print }: Pick<Printer, 'status' | 'current_print'>) {
  if (status === null) return 'offline'
  const { flags } = fieldsOf(status['state'])
  if (fieldsOf(flags)['paused'] === true || fieldsOf(flags)['pausing'] === true) return 'paused'
  return print === null ? 'idle' : 'printing'
}

/** How much of the print is done, in whole per cent; null when nobody knows. */
function progressOf({ status }: Pick<Printer, 'status'>): number | null {
  const { completion } = fieldsOf(fieldsOf(status)['progress'])
  return typeof completion === 'number' && completion >= 0 && completion <= 100
    ? Math.round(completion)
    : null
}

/** `tool0 210 °C`, of each heater that reports a number. */
function heatersOf({ status }: Pick<Printer, 'status'>): string[] {
  return Object.entries(fieldsOf(fieldsOf(status)['temperatures']))
    .flatMap(([name, value]) => {
      const { actual } = fieldsOf(value)
      return typeof actual === 'number' && Number.isFinite(actual)
        ? [`${name.slice(0, 30)} ${Math.round(actual)} °C`]
        : []
    })
    .slice(0, HEATERS_MOST)
}

/** Somebody who has followed a link. */
interface Visit {
  readonly ctx: Ctx
  readonly request: FastifyRequest
}
export type Visited = Visit & { readonly link: AlertLinkRow; readonly token: string }

function sayTo({ ctx, request }: Visit) {
  const language = languageOf(request)
  return (key: string, params: Record<string, string> = {}) =>
    text('alert-links-server', key, { brand: brandOf(request, ctx).display_name, ...params }).in(language)
}

const namesOf = ({ link: { notice } }: Visited) => ({
  file: notice.print.filename,
  printer: notice.printer.name,
})

const addressOf = ({ request, token }: Visited, rest = '') => `${request.edge.prefix}/alerts/${token}/${rest}`
const isOfSeveral = ({ link }: Visited) => link.notice.others !== undefined

function toPrinter(visit: Visited): Html {
  const all = `${visit.request.edge.prefix}/printers/`
  const [href, words] = isOfSeveral(visit)
    ? [all, 'openPrinters']
    : [`${all}${visit.link.printerId}/control/`, 'openPrinter']
  return html`<a class="button quiet" href="${href}">${sayTo(visit)(words)}</a>`
}

const form = (visit: Visited, what: Act, isQuiet = false) =>
  html`<form method="post" action="${addressOf(visit, `${what}/`)}">
    <button class="${isQuiet ? 'quiet' : ''}">${sayTo(visit)(`${what}Button`)}</button>
  </form>`

/** The picture of the alert, how the printer stands, and what can be done about it. */
export async function lookPage(visit: Visited): Promise<Html> {
  const { ctx, request, link } = visit
  const say = sayTo(visit)
  const { notice } = link
  const language = languageOf(request)
  const picture = await noticePictureUrl(ctx, notice, request.edge)
  const standing = await findStanding(ctx.db, link)
  const asker = { principal: inNameOf(link), edge: request.edge, language }
  const printer = await getPrinter(ctx, asker, link.printerId)
  const { title, lines } = noticeWords(notice, {
    language,
    brand: brandOf(request, ctx).display_name,
  })
  return doorPage(request, ctx, {
    title,
    isWide: true,
    body: html`${lines.map((line) => html`<p>${line}</p>`)}
      ${picture && html`<img src="${picture}" alt="${say('taken')}" />`}
      ${!isOfSeveral(visit) && facts(visit, printer, standing)}
      ${(standing === 'newer' || standing === 'answered') && html`<p role="status">${say(standing)}</p>`}
      <div class="acts">${offers(visit, printer, standing)}</div>`,
  })
}

function facts(visit: Visited, printer: Printer, standing: Standing): Html {
  const say = sayTo(visit)
  const state = standing === 'over' ? say('over') : say(stateOf(printer))
  const progress = standing === 'over' ? null : progressOf(printer)
  const heaters = heatersOf(printer)
  return html`<dl>
    <dt>${say('state')}</dt>
    <dd>${state}</dd>
    ${
      progress !== null &&
      html`<dt>${say('progress')}</dt>
        <dd>${progress} %</dd>`
    }
    ${
      heaters.length > 0 &&
      html`<dt>${say('heaters')}</dt>
        <dd>${heaters.join(' · ')}</dd>`
    }
  </dl>`
}

const canAnswerOf = ({ link }: Visited, standing: Standing) => link.answeredAt === null && standing === 'open'

function offers(visit: Visited, printer: Printer, standing: Standing) {
  const { link, request } = visit
  const say = sayTo(visit)
  if (standing === 'over') return toPrinter(visit)
  // What can be done to one of several prints is done on its page.
  if (isOfSeveral(visit)) return [canAnswerOf(visit, standing) && form(visit, 'seen', true), toPrinter(visit)]
  const canPause = link.pausedAt === null && stateOf(printer) === 'printing'
  const canAnswer = canAnswerOf(visit, standing)
  const cancel = html`<a
    class="button quiet"
    href="${request.edge.prefix}/prints/${link.notice.print.id}/cancel/"
    >${say('cancelPrint')}</a
  >`
  return [
    canPause && form(visit, 'pause'),
    canAnswer && link.notice.kind === 'PrintFailure' && form(visit, 'fine', true),
    canAnswer && form(visit, 'seen', true),
    toPrinter(visit),
    cancel,
    html`<p class="foot">${say('signIn')}</p>`,
  ]
}

/** Then "Not a failure" resumes the print. */
async function isPausedByUs({ ctx, request, link }: Visited): Promise<boolean> {
  const asker = { principal: inNameOf(link), edge: request.edge }
  const printer = await getPrinter(ctx, asker, link.printerId)
  return printer.current_print?.paused_at != null && stateOf(printer) !== 'printing'
}

/** Asks once more: opening it does nothing. */
export async function askPage(visit: Visited, what: Act, standing: Standing): Promise<Html> {
  const { ctx, request, link } = visit
  const say = sayTo(visit)
  if (standing === 'over' || (standing === 'newer' && what !== 'pause')) return outdatedPage(visit)
  const isUsed = what === 'pause' ? link.pausedAt !== null : link.answeredAt !== null
  if (isUsed) return usedPage(visit)
  const isPaused = what === 'fine' && (await isPausedByUs(visit))
  const words = isPaused ? 'fineTextPaused' : isOfSeveral(visit) ? 'seenTextSeveral' : `${what}Text`
  return doorPage(request, ctx, {
    title: say(`${what}Title`),
    body: html`<p>${say(words, namesOf(visit))}</p>
      <div class="acts">
        ${form(visit, what)}
        <a class="button quiet" href="${addressOf(visit)}">${say('back')}</a>
      </div>`,
  })
}

/** What came of it. */
export async function donePage(visit: Visited, what: Act, done: Done): Promise<Html> {
  const { ctx, request } = visit
  const say = sayTo(visit)
  if (done === 'outdated') return outdatedPage(visit)
  if (done === 'used') return usedPage(visit)
  if (done === 'done' || done === 'resumed')
    return doorPage(request, ctx, {
      title: say(done === 'resumed' ? 'fineResumed' : `${what}Done`, namesOf(visit)),
      body: html`<p role="status">${!isOfSeveral(visit) && visit.link.notice.print.filename}</p>
        <div class="acts">${toPrinter(visit)}</div>`,
    })
  return doorPage(request, ctx, {
    title: done === 'unanswered' ? say(`${what}Title`) : say('refused'),
    body: html`<p role="alert" class="bad">${text('commands-server', done).in(languageOf(request))}</p>
      <div class="acts">${done !== 'unanswered' && form(visit, what)} ${toPrinter(visit)}</div>`,
  })
}

const outdatedPage = (visit: Visited) => endPage(visit, 'outdated')
const usedPage = (visit: Visited) => endPage(visit, 'used')

function endPage(visit: Visited, what: 'outdated' | 'used'): Html {
  const say = sayTo(visit)
  return doorPage(visit.request, visit.ctx, {
    title: say(what),
    body: html`<p role="status">${say(`${what}Text`)}</p>
      <div class="acts">${toPrinter(visit)}</div>`,
  })
}

/** No such link, or somebody else's. */
export function gonePage(visit: Visit, reply: FastifyReply): Html {
  reply.status(404)
  const say = sayTo(visit)
  return doorPage(visit.request, visit.ctx, { title: say('gone'), body: html`<p>${say('goneText')}</p>` })
}
