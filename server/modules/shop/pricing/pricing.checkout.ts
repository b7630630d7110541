import { type Html, html } from '../../../lib/html.ts'
import type { Reader, Say } from './pricing.parts.ts'

/** What is said when a checkout does not open: one dialog, of which the script shows the part that applies. */
export function failures({ brand, prefix }: Reader, say: Say): Html {
  const docs = brand.community ?? brand.docs ?? ''
  const contact = docs.startsWith('/') ? prefix + docs : docs
  const help = contact === '' ? say('contact') : html`<a href="${contact}">${say('contact')}</a>`
  return html`<dialog id="failed" aria-live="assertive">
    <div data-reason="email_unverified" hidden>
      <h2>${say('verify')}</h2>
      <p>${say('verifyWhy')} <a href="${prefix}/accounts/email/">${say('verifyWay')}</a></p>
    </div>
    <div data-reason="already_subscribed" hidden>
      <h2>${say('oops')}</h2>
      <p>${say('hasPlan')} <a href="${prefix}/user_preferences/subscription/">${say('viewPlan')}</a></p>
    </div>
    <div data-reason="not_set_up" hidden>
      <h2>${say('oops')}</h2>
      <p>${say('notSetUp')}</p>
    </div>
    <div data-reason="" hidden>
      <h2>${say('oops')}</h2>
      <p>${say('wentWrong')} ${help}</p>
    </div>
    <form method="dialog"><button class="button" autofocus>${say('close')}</button></form>
  </dialog>`
}
