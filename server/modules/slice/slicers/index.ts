import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { answerFor } from '../../../http/answers.ts'
import { languageOf } from '../../../http/route.ts'
import { inLanguage } from '../../../http/texts.ts'
import { stateRoutes } from './state.routes.ts'
import { uploadRoute } from './upload.routes.ts'

/** What PrusaSlicer, Cura and others ask of an OctoPrint (docs/rules/slice.md). */
export async function registerSlicers(app: FastifyInstance, ctx: Ctx): Promise<void> {
  await app.register(async (own) => {
    own.setErrorHandler((error, request, reply) => {
      const { status, body, headers } = answerFor(error)
      if (status >= 500) request.log.error({ err: error, route: request.routeOptions.url }, 'request failed')
      // Without a charset: Cura shows no other type.
      return reply
        .status(status)
        .headers({ ...headers, 'cache-control': 'no-store', 'content-type': 'text/plain' })
        .send(Buffer.from(sentenceIn(inLanguage(body, languageOf(request)))))
    })
    stateRoutes(own, ctx)
    uploadRoute(own, ctx)
  })
}

/** The words of a refusal, without the names of its fields. */
function sentenceIn(body: unknown): string {
  if (typeof body === 'string') return body
  if (typeof body !== 'object' || body === null) return ''
  return Object.values(body).map(sentenceIn).filter(Boolean).join(' ')
}
