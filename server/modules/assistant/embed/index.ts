import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { movedPage, type OwnPage } from '../../../http/pages.ts'

const chatOf = (version: string) => `/jusprin/v${version}/embedded_chat/` as const

/**
 * The page of the chat at the addresses that desktop slicers ask for (docs/wire/assistant.md). One whose base address ends in a slash
 * asks with two, and then looks whether the page stands at just that address: it is answered there, and not sent elsewhere.
 */
export function registerEmbed(app: FastifyInstance, { config }: Ctx): void {
  const serve = (path: string, file: OwnPage) => {
    app.routeTable.push({ kind: 'page', method: 'GET', path, callers: ['anyone'] })
    for (const url of [path, path.slice(0, -1)])
      app.get(url, { config: { open: true } }, async (request, reply) => app.showPage(request, reply, file))
  }
  movedPage(app, chatOf('0.4'), chatOf('1.0'))
  for (const path of [chatOf('1.0'), chatOf('1.2')]) serve(path, 'embedded.html')
  for (const version of ['0.4', '1.0', '1.2']) serve(`/${chatOf(version)}`, 'embedded.html')
  // What plays the slicer around it is for who tries and tests this server.
  if (config.NODE_ENV !== 'production') serve('/jusprin/host/', 'host.html')
}
