import type { Cycle } from '../../../brands/plans.ts'
import { type Html, html } from '../../../lib/html.ts'
import { both, button, monthly, type Reader, type Say, startPath } from './pricing.parts.ts'

/** What a plan of one's own comes to: the form that the script reads. */
export function builder(reader: Reader, say: Say): Html {
  const { cycles, currency, plans, recommended_by_printers: best } = reader.brand.plans
  const priced = (cycle: Cycle) =>
    JSON.stringify({
      months: cycles[cycle].months,
      base: cycles[cycle].base_cents,
      extra: cycles[cycle].extra_printer_cents,
    })
  return html`<form
    class="card"
    id="build"
    name="build"
    data-currency="${currency}"
    data-annual="${priced('annual')}"
    data-monthly="${priced('monthly')}"
    data-recommended="${JSON.stringify(best)}"
    data-hours="${plans.pro.detection_hours_per_month}"
    data-extras="${say('extras')}"
    data-billed-annual="${say('billedAnnual', { total: '#total' })}"
    data-billed-monthly="${say('billedMonthly', { total: '#total' })}"
    data-covers="${say('covers')}"
    data-span="${say('span')}"
  >
    ${asked(reader, say)} ${sum(reader, say)}
  </form>`
}

/** How many printers, and which hours on top. */
function asked(reader: Reader, say: Say): Html {
  const { packs, plans, label, most_printers: most } = reader.brand.plans
  const hours = plans.pro.detection_hours_per_month
  const none = { level: '0', hours: 0, annual_cents: 0, monthly_cents: 0 }
  return html`<h2>${say('build', { label })}</h2>
    <p class="small">${say('buildNote')}</p>
    <div class="row">
      <label for="printers">${say('row.printers')}<br /><span class="small">${say('watched')}</span></label>
      <span class="steps">
        <button type="button" data-step="-1" aria-label="${say('fewer')}">−</button>
        <input id="printers" name="printers" type="number" min="1" max="${most}" value="1" data-last="1" />
        <button type="button" data-step="1" aria-label="${say('more')}">+</button>
      </span>
    </div>
    <div class="row">
      <span id="hoursName">${say('row.hours')}</span><span class="small">${say('withPlan', { hours })}</span>
    </div>
    <div class="choices" role="radiogroup" aria-labelledby="hoursName">
      ${[none, ...packs].map((pack) => choice(reader, say, pack))}
    </div>`
}

/** What it comes to; the script fills it in. */
const sum = (reader: Reader, say: Say): Html =>
  html` <hr />
    <p class="small" id="covers"></p>
    <div class="bar" aria-hidden="true"><i id="bar"></i></div>
    <hr />
    <div class="row"><span>${say('base')}</span><b id="base"></b></div>
    <div class="row" id="extrasRow"><span id="extrasName"></span><b id="extras"></b></div>
    <div class="row"><span>${say('row.hours')}</span><b id="pack"></b></div>
    <hr />
    <div class="row" aria-live="polite">
      <span><span class="price" id="total"></span> <span class="small">${say('aMonth')}</span></span>
      <span class="small" id="billed"></span>
    </div>
    ${buy(reader, say)}
    <p class="small">${say('refund', { days: reader.brand.plans.refund_days })}</p>`

/** The way to the plan that was built: to the checkout for who may buy it. */
function buy(reader: Reader, say: Say): Html {
  if (!reader.isSignedIn) return button(reader, startPath(reader), say('startTrial'), true)
  if (!reader.mayBuy) return button(reader, '/user_preferences/subscription/', say('viewPlan'), true)
  if (reader.checkout === 'none') return html`<p class="small">${say('notSetUp')}</p>`
  return html`<button
    class="button main"
    type="submit"
    data-to="${reader.prefix}/ent/generate_pro_checkout_url/?plan=pro&amp;"
  >
    ${say('checkout')}
  </button>`
}

interface Choice {
  readonly level: string
  readonly hours: number
  readonly annual_cents: number
  readonly monthly_cents: number
}

function choice(reader: Reader, say: Say, pack: Choice): Html {
  const { level, hours, annual_cents: annual, monthly_cents: perMonth } = pack
  return html`<label
    data-level="${level}"
    data-hours="${hours}"
    data-annual="${annual}"
    data-monthly="${perMonth}"
  >
    <input type="radio" name="dhpack_level" value="${level}" ${level === '0' && 'checked'} />
    ${hours === 0 ? say('none') : `${hours}\u00a0${say('h')}`}
    <span class="tag">${say('popular')}</span>
    <span class="spring"></span>
    <b>${both((cycle) => monthly(reader, pack[`${cycle}_cents`], cycle))}</b>
  </label>`
}

const QUESTIONS = ['hour', 'over', 'rollOver', 'refund', 'cancel'] as const

/** What people ask, each folded. */
export function questions({ brand: { plans, display_name: name } }: Reader, say: Say): Html {
  const count = plans.plans.free.printers ?? plans.most_printers
  const known = { label: plans.label, days: plans.refund_days, name, count }
  return html`<section class="faq">
    <h2>${say('questions')}</h2>
    ${QUESTIONS.map(
      (key) =>
        html`<details>
          <summary>${say(`ask.${key}`, known)}</summary>
          <p>${say(`answer.${key}`, known)}</p>
        </details>`,
    )}
  </section>`
}
