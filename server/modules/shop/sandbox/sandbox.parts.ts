import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { doorPage } from '../../../http/door-page.ts'
import { contentPolicy } from '../../../http/headers.ts'
import { languageOf } from '../../../http/route.ts'
import { text } from '../../../http/texts.ts'
import { type Html, html } from '../../../lib/html.ts'

/** The pages' words in the reader's language. */
export type Say = (key: string, params?: Record<string, string | number>) => string

export const sayTo = (request: FastifyRequest): Say => {
  const language = languageOf(request)
  return (key, params) => text('sandbox-server', key, params).in(language)
}

/** A page of the sandbox, under its banner; in no frame of anybody's. */
export function sandboxPage(
  ctx: Ctx,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { title, body }: { title: string; body: Html },
): Html {
  reply
    .header('content-security-policy', contentPolicy(ctx.config, { isNeverFramed: true }))
    .header('referrer-policy', 'same-origin')
  const say = sayTo(request)
  return doorPage(request, ctx, {
    title,
    body: html`<p class="bad" role="note">${say('banner')}</p>
      ${body}`,
    isWide: true,
  })
}

/** Whole cents as people write them. */
export const moneyIn = (request: FastifyRequest, currency: string) => {
  const format = new Intl.NumberFormat(languageOf(request) === 'zh' ? 'zh-CN' : 'en', {
    style: 'currency',
    currency,
  })
  return (cents: number) => format.format(cents / 100)
}

export const dayIn = (request: FastifyRequest) => {
  const format = new Intl.DateTimeFormat(languageOf(request) === 'zh' ? 'zh-CN' : 'en', { dateStyle: 'long' })
  return (at: Date) => format.format(at)
}
