import { createHash } from 'node:crypto'
import { Html } from '../../../lib/html.ts'

/**
 * What the page does by itself: the cycle that is looked at, and what a plan comes to. Prices stand in `data-` of what they are
 * of, texts in templates, so that nothing of either is in here.
 */
const SCRIPT = `
const form = document.forms.build, page = document.documentElement
const money = (cents) => new Intl.NumberFormat(page.lang, { style: 'currency', currency: form.dataset.currency, minimumFractionDigits: cents % 100 ? 2 : 0 }).format(cents / 100)
const say = (name, values) => form.dataset[name].replace(/#(\\w+)/g, (_, key) => values[key])
const span = (hours) => { const all = Math.round(hours * 60); return say('span', { h: Math.floor(all / 60), min: all % 60 }) }
function draw() {
  const cycle = form.elements.annual.value === 'true' ? 'annual' : 'monthly'
  page.dataset.cycle = cycle
  const { months, base, extra } = JSON.parse(form.dataset[cycle])
  const printers = Number(form.elements.printers.value)
  const list = JSON.parse(form.dataset.recommended)
  const best = list[Math.min(printers, list.length) - 1]
  for (const row of form.querySelectorAll('[data-level]')) row.toggleAttribute('data-popular', row.dataset.level === best)
  const radio = form.querySelector('[name=dhpack_level]:checked')
  const pack = radio.parentElement
  const lines = [base, extra * (printers - 1), Number(pack.dataset[cycle] || 0)]
  const total = lines[0] + lines[1] + lines[2]
  const put = (id, text) => { document.getElementById(id).textContent = text }
  put('base', money(lines[0] / months)); put('extras', money(lines[1] / months)); put('pack', money(lines[2] / months))
  put('extrasName', say('extras', { count: printers - 1, each: money(extra / months) }))
  document.getElementById('extrasRow').hidden = printers === 1
  put('total', money(total / months))
  put('billed', say(cycle === 'annual' ? 'billedAnnual' : 'billedMonthly', { total: money(total) }))
  const hours = Number(form.dataset.hours) + Number(pack.dataset.hours || 0)
  const daily = Math.min(24, hours / 30 / printers)
  put('covers', say('covers', { hours, daily: span(daily), printers }))
  document.getElementById('bar').style.width = daily / 24 * 100 + '%'
}
document.addEventListener('change', (event) => {
  const field = form.elements.printers
  if (event.target === field && !(Number.isInteger(Number(field.value)) && Number(field.value) >= 1 && Number(field.value) <= Number(field.max))) field.value = field.dataset.last
  field.dataset.last = field.value
  draw()
})
for (const button of form.querySelectorAll('[data-step]')) button.addEventListener('click', () => {
  const field = form.elements.printers
  field.value = Math.min(Number(field.max), Math.max(1, Number(field.value) + Number(button.dataset.step)))
  field.dataset.last = field.value
  draw()
})
draw()
const tell = (reason) => {
  const dialog = document.getElementById('failed'), parts = [...dialog.querySelectorAll('[data-reason]')]
  const part = parts.find((one) => one.dataset.reason === reason) || parts.at(-1)
  for (const one of parts) one.hidden = one !== part
  dialog.showModal()
}
async function buy(button, query) {
  button.disabled = true
  try {
    const answer = await fetch(button.dataset.to + query, { headers: { Accept: 'application/json', 'X-Requested-With': 'XMLHttpRequest' } })
    const said = await answer.json()
    if (answer.ok) location.assign(said.url)
    else tell(said.reason)
  } catch { tell() }
  button.disabled = false
}
form.addEventListener('submit', (event) => {
  event.preventDefault()
  if (event.submitter) buy(event.submitter, new URLSearchParams(new FormData(form)))
})
const { subscribed, prepaid } = document.forms
const chosenIn = (one) => new FormData(one).get('dhpack_level')
for (const one of [subscribed, prepaid]) if (one) one.addEventListener('change', () => { one.querySelector('button').disabled = !Number(chosenIn(one)) })
if (subscribed) subscribed.addEventListener('submit', (event) => {
  event.preventDefault()
  form.elements.dhpack_level.value = chosenIn(subscribed)
  draw()
  form.scrollIntoView()
  form.querySelector('[type=submit]').focus()
})
if (prepaid) prepaid.addEventListener('submit', (event) => {
  event.preventDefault()
  buy(prepaid.querySelector('button'), new URLSearchParams({ dhpack_level: chosenIn(prepaid) }))
})
`

/** As the page has it, and as its policy lets it run. */
export const script = new Html(`<script>${SCRIPT}</script>`)
export const scriptHash = `'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`
