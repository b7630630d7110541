import { type Html, html } from '../../../lib/html.ts'
import { both, button, money, monthly, type Reader, type Say } from './pricing.parts.ts'

/** Hours on top of a plan's: subscribed with it, or bought once. Who is signed in chooses one here. */
export const packs = (reader: Reader, say: Say): Html =>
  html`<section class="card">
    <h2>${say('packs')} <span class="small">${say('packsNote')}</span></h2>
    ${subscribed(reader, say)} ${prepaid(reader, say)}
  </section>`

const canBuy = ({ isSignedIn, checkout }: Reader) => isSignedIn && checkout !== 'none'

/** Subscribe and save: for who may buy a plan the pack goes into it, others change theirs. */
function subscribed(reader: Reader, say: Say): Html {
  const { packs: all } = reader.brand.plans
  const price = (pack: (typeof all)[number]) =>
    both((cycle) => say('priceAMonth', { price: monthly(reader, pack[`${cycle}_cents`], cycle) }))
  const isChosen = canBuy(reader) && reader.mayBuy
  const tiles = all.map((pack) => tile(say, { ...pack, name: isChosen ? 'subscribed' : null }, price(pack)))
  return html`<div class="row">
      <span>${say('subscribe')} <span class="small">${say('subscribeNote')}</span></span>
    </div>
    ${
      isChosen
        ? html`<form name="subscribed">
            <div class="packs" role="radiogroup" aria-label="${say('subscribe')}">
              ${noPack(say)} ${tiles}
            </div>
            <button class="button" type="submit" disabled>${say('upgrade')}</button>
          </form>`
        : html`<div class="packs">${tiles}</div>
            ${reader.isSignedIn && !reader.mayBuy && button(reader, '/user_preferences/subscription/', say('viewPlan'))}`
    }`
}

/** Pack 0 is none. */
const noPack = (say: Say): Html =>
  html`<label>
    <input type="radio" name="dhpack_level" value="0" checked />
    <b>${say('none')}</b>
  </label>`

/** Hours that are bought once: by whoever is signed in, whatever their plan. */
function prepaid(reader: Reader, say: Say): Html | false {
  const { packs: all, currency } = reader.brand.plans
  const isChosen = canBuy(reader)
  const tiles = all.flatMap(({ level, prepaid: one }) => {
    if (one === null) return []
    const price = say('priceOnce', { price: money(one.cents, currency, reader.language) })
    return [tile(say, { level, hours: one.hours, name: isChosen ? 'prepaid' : null }, price)]
  })
  if (tiles.length === 0) return false
  return html`<div class="row">
      <span>${say('prepaid')} <span class="small">${say('prepaidNote')}</span></span>
    </div>
    ${
      isChosen
        ? html`<form name="prepaid">
            <div class="packs" role="radiogroup" aria-label="${say('prepaid')}">${tiles}</div>
            <button
              class="button"
              type="submit"
              data-to="${reader.prefix}/ent/generate_prepaid_dhpack_checkout_url/?"
              disabled
            >
              ${say('buyHours')}
            </button>
          </form>`
        : html`<div class="packs">${tiles}</div>`
    }`
}

interface Tile {
  readonly level: string
  readonly hours: number
  /** Of the form in which it is chosen; null where it is only shown. */
  readonly name: string | null
}

const tile = (say: Say, { level, hours, name }: Tile, price: string | readonly Html[]): Html =>
  name === null
    ? html`<div><b>${hours} ${say('h')}</b>${price}</div>`
    : html`<label>
        <input type="radio" name="dhpack_level" value="${level}" />
        <b>${hours} ${say('h')}</b>${price}
      </label>`
