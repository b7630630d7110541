import { randomUUID } from 'node:crypto'
import type { Ctx } from '../../../ctx.ts'
import { socketMessage } from './envelope.rules.ts'
import { lineOf } from './lines.ts'
import { TUNNEL_CLOSE, TunnelFailed, type TunnelSocket, type TunnelSocketOptions } from './port.ts'

/** Opens a websocket of the printer's page through its agent. Raises `TunnelFailed`. */
export async function openTunnelSocket(
  ctx: Ctx,
  printerId: number,
  { path, hear, end, counted }: TunnelSocketOptions,
): Promise<TunnelSocket> {
  const line = lineOf(ctx, printerId)
  if (line === null) throw new TunnelFailed('offline')
  const ref = randomUUID()
  let unsent = 0
  let isOpen = true
  const stop = line.onSocket(ref, (news, bytes) => {
    if (!isOpen) return
    if (news !== null) counted(bytes)
    if (news?.type === 'octoprint_message') return hear(news.data)
    isOpen = false
    stop()
    end(news === null ? TUNNEL_CLOSE.lost : TUNNEL_CLOSE.closed, news === null ? 'lost' : 'closed')
  })
  const say = (type: 'connect' | 'tunnel_message' | 'tunnel_close', data: string | null) => {
    unsent += data?.length ?? 0
    line
      .sendBytes(socketMessage(ref, path, type, data))
      .catch(() => undefined)
      .finally(() => (unsent -= data?.length ?? 0))
  }
  say('connect', null)
  return {
    send: (text) => isOpen && say('tunnel_message', text),
    get bufferedAmount() {
      return unsent
    },
    close() {
      if (!isOpen) return
      isOpen = false
      stop()
      say('tunnel_close', null)
    },
  }
}
