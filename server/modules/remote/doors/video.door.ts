import type { WebSocket } from 'ws'
import type { Ctx } from '../../../ctx.ts'
import type { TunnelPrincipal } from '../../../http/principal.ts'
import { principalOf } from '../origins/pass.service.ts'
import type { Guest } from './visit.ts'
import { ofServer } from '../../../lib/of-server.ts'

/** Takes a websocket on which an app talks with the Janus of a printer. */
type ServeVideo = (ws: WebSocket, app: TunnelPrincipal) => unknown

/** Who does, on each node. */
const servedBy = ofServer((): { serve?: ServeVideo } => ({}))

/** Has `serve` take the websockets of video at tunnels of apps. Call while the features register. */
export function serveVideo(ctx: Pick<Ctx, 'live'>, serve: ServeVideo): void {
  servedBy(ctx).serve = serve
}

const VIDEO = /^\/ws\/janus\/(\d{1,10})\/?$/i

/**
 * Who takes a websocket at this path; null where it is none of ours. Apps alone, and of their own printer: a page has no business there
 * (docs/wire/browsers.md 6).
 */
export function videoAt(
  ctx: Pick<Ctx, 'live'>,
  path: string,
  { tunnel, pass }: Guest,
): ((ws: WebSocket) => unknown) | null {
  const { serve } = servedBy(ctx)
  const id = VIDEO.exec(path.split('?', 1)[0] ?? '')?.[1]
  if (serve === undefined || pass !== null || id === undefined || Number(id) !== tunnel.printerId) return null
  return (ws) => serve(ws, principalOf(tunnel))
}
