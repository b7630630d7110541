import type { Cycle } from '../../../brands/plans.ts'
import { type Html, html } from '../../../lib/html.ts'
import { type Language, text } from '../../../http/texts.ts'
import { builder, questions } from './pricing.builder.ts'
import { lookOf } from './pricing.look.ts'
import { failures } from './pricing.checkout.ts'
import { packs } from './pricing.packs.ts'
import { both, button, money, monthly, type Reader, type Say, startPath } from './pricing.parts.ts'
import { script } from './pricing.script.ts'

/** Plans and prices as a page that needs nothing of the app: small, found by search engines, and right without a script. */
export function pricingPage(reader: Reader): Html {
  const { brand, prefix, language } = reader
  const say: Say = (key, params) => text('pricing-server', key, params).in(language)
  const mark = `${prefix}/brands/${brand.name}/mark.svg`
  return html`<!doctype html>
    <html lang="${language === 'zh' ? 'zh-CN' : 'en'}" data-cycle="annual">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="description" content="${say('lead', leadOf(reader, language))}" />
        <title>${say('title')} · ${brand.display_name}</title>
        <link rel="icon" href="${mark}" />
        ${lookOf(brand, mark)}
      </head>
      <body>
        ${head(reader, say)}
        <main>
          <div class="top">
            <div>
              <h1>${say('title')}</h1>
              <p class="soft">${say('lead', leadOf(reader, language))}</p>
            </div>
            ${toggle(reader, say)}
          </div>
          <div class="left">${columns(reader, say)}${packs(reader, say)}</div>
          ${builder(reader, say)} ${questions(reader, say)}
        </main>
        ${reader.isSignedIn && failures(reader, say)} ${script}
      </body>
    </html>`
}

const leadOf = ({ brand: { plans } }: Reader, language: Language) => ({
  count: plans.plans.free.printers ?? plans.most_printers,
  label: plans.label,
  price: money(Math.round(plans.cycles.annual.base_cents / 12), plans.currency, language),
  days: plans.refund_days,
})

function head({ brand, prefix, isSignedIn, hasPlan, maySignUp }: Reader, say: Say): Html {
  const link = (path: string, key: string) => html`<a href="${prefix}${path}">${say(key)}</a>`
  const docs = brand.docs ?? ''
  const help = docs.startsWith('/') ? prefix + docs : docs
  return html`<header>
    <a class="brand" href="${prefix}/"><i></i>${brand.display_name}</a>
    ${
      isSignedIn && [
        link('/printers/', 'printers'),
        link('/print_history/', 'history'),
        link('/g_code_folders/cloud/', 'gcodes'),
      ]
    }
    <a href="${prefix}/ent_pub/pricing/" aria-current="page">${say('pricing')}</a>
    ${help !== '' && html`<a href="${help}">${say('help')}</a>`}
    <span class="spring"></span>
    ${
      isSignedIn
        ? [
            hasPlan && link('/user_preferences/subscription/', 'subscription'),
            link('/user_preferences/', 'preferences'),
            link('/accounts/logout/', 'logOut'),
          ]
        : [
            link('/accounts/login/?next=/ent_pub/pricing/', 'signIn'),
            maySignUp && link('/accounts/signup/', 'signUp'),
          ]
    }
  </header>`
}

function toggle({ brand: { plans } }: Reader, say: Say): Html {
  return html`<div class="toggle" role="radiogroup" aria-label="${say('cycle')}">
    <label>
      <input type="radio" form="build" name="annual" value="true" checked />${say('annual')}
      <span class="tag">${say('save', { percent: plans.annual_saves_percent })}</span>
    </label>
    <label><input type="radio" form="build" name="annual" value="false" />${say('monthly')}</label>
  </div>`
}

function columns(reader: Reader, say: Say): Html {
  const { label, trial } = reader.brand.plans
  return html`<div class="card plans">
    <table>
      <thead>
        ${columnHeads(reader, say)}
      </thead>
      <tbody>
        ${rowsOf(reader, say).map(
          ([name, free, pro]) =>
            html`<tr>
              <th scope="row">${name}</th>
              <td>${free}</td>
              <td>${pro}</td>
            </tr>`,
        )}
        <tr>
          <th></th>
          <td></td>
          <td class="small">${say('trial', { days: trial.days, hours: trial.hours, label })}</td>
        </tr>
      </tbody>
    </table>
  </div>`
}

/** What each plan costs, and the way to it. */
function columnHeads(reader: Reader, say: Say): Html {
  const { brand, isSignedIn, mayBuy, language } = reader
  const { cycles, label, currency } = brand.plans
  const billed = (cycle: Cycle) =>
    say(cycle === 'annual' ? 'billedAnnual' : 'billedMonthly', {
      total: money(cycles[cycle].base_cents, currency, language),
    })
  const way = !isSignedIn
    ? button(reader, startPath(reader), say('startTrial'), true)
    : mayBuy
      ? button(reader, '#build', say('upgrade'), true)
      : button(reader, '/user_preferences/subscription/', say('viewPlan'), true)
  return html`<tr>
    <td class="small">${say('currency', { currency })}</td>
    <th scope="col">
      <h2>${say('free')}</h2>
      <div class="price">${money(0, currency, language)}</div>
      <div class="small">${say('freeFor')}</div>
      ${!isSignedIn && button(reader, startPath(reader), say('getStarted'))}
    </th>
    <th scope="col">
      <h2>${label}</h2>
      <div>
        <span class="price">${both((cycle) => monthly(reader, cycles[cycle].base_cents, cycle))}</span>
        <span class="small">${say('aMonth')}</span>
      </div>
      <div class="small">${both(billed)}</div>
      ${way}
    </th>
  </tr>`
}

type Cell = string | readonly Html[]

/** What each plan gives, line by line, as its file has it. */
function rowsOf(reader: Reader, say: Say): (readonly [string, Cell, Cell])[] {
  const { free, pro } = reader.brand.plans.plans
  const { cycles } = reader.brand.plans
  const gb = (mb: number | null) =>
    mb === null ? say('unlimited') : mb >= 1024 ? `${mb / 1024}\u00a0GB` : `${mb}\u00a0MB`
  const tunnel = ({ tunnel_mb_per_month: mb }: typeof free) =>
    mb === null ? say('unlimited') : say('perMonth', { amount: gb(mb) })
  const stream = ({ stream_fps: fps, stream_cycle_seconds: seconds }: typeof free) =>
    seconds === null ? say('fps', { fps }) : say('fpsCycle', { fps, seconds })
  const storage = (limits: typeof free) =>
    say('storage', { all: gb(limits.g_code_storage_mb), file: gb(limits.g_code_file_mb) })
  const hours = ({ detection_hours_per_month: count, hours_roll_over: rolls }: typeof free) =>
    say(rolls ? 'hoursRoll' : 'hoursPlain', { count })
  const questions = ({ ai_credits_per_month: count }: typeof free) =>
    count === null ? say('unlimited') : say('hoursPlain', { count })
  const has = (is: boolean) => say(is ? 'included' : 'notIncluded')
  const line = (key: string, write: (limits: typeof free) => string) =>
    [say(key), write(free), write(pro)] as const
  return [
    [
      say('row.printers'),
      String(free.printers ?? say('unlimited')),
      both((cycle) =>
        say('printersPro', { each: monthly(reader, cycles[cycle].extra_printer_cents, cycle) }),
      ),
    ],
    line('row.hours', hours),
    line('row.look', ({ detection_interval_seconds: seconds }) => say('every', { seconds })),
    line('row.stream', stream),
    line('row.tunnel', tunnel),
    line('row.apps', tunnel),
    line('row.storage', storage),
    line('row.sms', ({ sms }) => has(sms)),
    line('row.sharing', ({ sharing }) => has(sharing)),
    ...(reader.hasModel ? [line('row.assistant', questions)] : []),
    [say('row.support'), say('community'), say('email')],
  ]
}
