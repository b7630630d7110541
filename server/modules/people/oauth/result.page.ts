import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { brandOf } from '../../../http/brands.ts'
import { doorPage } from '../../../http/door-page.ts'
import { contentPolicy } from '../../../http/headers.ts'
import { serverPage } from '../../../http/page.ts'
import { languageOf } from '../../../http/route.ts'
import { text } from '../../../http/texts.ts'
import { Html, html } from '../../../lib/html.ts'

/**
 * Takes the token from behind the `#`, which no server sees, out of the address at once, and hands it to the slicer
 * around the page (`window.wx`, which may come a moment later). Where there is none, the person copies it.
 */
const SCRIPT = `(() => {
  const said = new URLSearchParams(location.hash.slice(1) || location.search)
  const token = said.get('access_token')
  history.replaceState(null, '', location.pathname)
  const show = (id) => {
    for (const one of document.querySelectorAll('[data-case]')) one.hidden = one.dataset.case !== id
  }
  if (!token) return show(said.get('error') ? 'refused' : 'nothing')
  show('done')
  const hand = (triesLeft) => {
    if (window.wx && typeof window.wx.postMessage === 'function') {
      window.wx.postMessage(JSON.stringify({ command: 'login_token', data: { token } }))
      return show('handed')
    }
    if (triesLeft > 0) return setTimeout(hand, 100, triesLeft - 1)
    document.querySelector('input').value = token
    show('copy')
  }
  document.querySelector('button').addEventListener('click', () => {
    const field = document.querySelector('input')
    field.select()
    if (!navigator.clipboard) return document.execCommand('copy')
    navigator.clipboard.writeText(field.value).catch(() => {})
  })
  hand(10)
})()`
const HASH = `'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`

/** Where OrcaSlicer's sign-in ends (docs/rules/slice.md). */
export function resultPage(app: FastifyInstance, ctx: Ctx): void {
  const policy = contentPolicy(ctx.config, { isNeverFramed: true, scripts: [HASH] })
  serverPage(app, { path: '/orca_slicer/authorized/', callers: ['anyone'] }, async (request, reply) => {
    reply
      .header('content-security-policy', policy)
      .header('x-frame-options', 'DENY')
      .header('referrer-policy', 'no-referrer')
    const language = languageOf(request)
    const app = /JusPrin/i.test(request.headers['user-agent']?.slice(0, 500) ?? '') ? 'JusPrin' : 'OrcaSlicer'
    const params = { app, brand: brandOf(request, ctx).display_name }
    const say = (key: string) => text('oauth-server', key, params).in(language)
    return doorPage(request, ctx, {
      title: say('resultTitle'),
      body: html`<p data-case="nothing">${say('nothing')}</p>
        <p data-case="done" hidden>${say('done')}</p>
        <p data-case="handed" role="status" hidden>${say('handed')}</p>
        <p data-case="refused" role="status" hidden>${say('refused')}</p>
        <div data-case="copy" hidden>
          <p>${say('copy')}</p>
          <div class="form">
            <label>${say('token')}<input readonly autocomplete="off" spellcheck="false" /></label>
            <button type="button">${say('copyIt')}</button>
          </div>
        </div>
        ${new Html(`<script>${SCRIPT}</script>`)}`,
    })
  })
}
