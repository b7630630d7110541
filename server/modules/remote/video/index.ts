import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../../ctx.ts'
import { everyTick } from '../../../lib/ticks.ts'
import { onFrame } from '../../core/agents/index.ts'
import { FanoutProcess } from '../sfu/sfu-process.ts'
import { Gateway } from './gateway.ts'
import { videoSockets } from './video.sockets.ts'

const TICK_MS = 1_000

/** Live video: what browsers and the Janus of a printer say to each other (docs/walks.md, "The way of video"). */
export function registerVideo(app: FastifyInstance, ctx: Ctx): void {
  const gateways = new Set<Gateway>()
  const { STREAM_FANOUT, ROLE } = ctx.config
  const fanouts = STREAM_FANOUT === 'on' && ROLE !== 'worker' ? new FanoutProcess(ctx) : null
  app.addHook('onClose', () => fanouts?.close())
  everyTick(ctx, TICK_MS, () => {
    for (const gateway of gateways) gateway.tick()
  })
  onFrame(ctx, 'janus', async (_ctx, line) => {
    const gateway = await Gateway.open(ctx, line, {
      fanouts,
      onEnd: () => gateways.delete(gateway),
    })
    gateways.add(gateway)
    return gateway
  })
  videoSockets(app, ctx)
}
