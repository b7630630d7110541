import { serialize } from 'bson'
import { expect, it } from 'vitest'
import { eventually } from '../../test/wire/agent.ts'
import { agentLab } from './agents.fixture.ts'
import { onFrame } from './index.ts'

const lab = agentLab()

it('a room takes its kind of frames as they came, and one that fails at them harms nobody', async () => {
  const { ctx } = lab.app
  const taken: { printerId: number; data: Buffer; isBinary: boolean }[] = []
  const left: number[] = []
  onFrame(ctx, 'tunnel', async (_ctx, { printerId }) => ({
    hear: (_frame, message) => void taken.push({ printerId, ...message }),
    greeting: { tunnels: true },
    leave: () => void left.push(printerId),
  }))
  onFrame(ctx, 'janus', () => ({
    hear() {
      throw new Error('mine')
    },
  }))
  expect(() => onFrame(ctx, 'tunnel', () => ({ hear: () => undefined }))).toThrow('taken twice')

  const agent = await lab.greeted()
  expect(agent.heard[0]).toEqual({ remote_status: { viewing: false, should_watch: false, tunnels: true } })
  const body = serialize({ 'http.tunnelv2': { ref: 'r', response: { content: Buffer.alloc(300_000, 7) } } })
  agent.send({ janus: '{}' })
  agent.sendRaw(Buffer.from(body))
  await eventually(() => taken[0])
  expect(taken).toEqual([{ printerId: lab.printer.id, data: Buffer.from(body), isBinary: true }])
  agent.send({ current_print_ts: -1, status: lab.status({ n: 'after' }, false) })
  await eventually(async () => (await lab.shown())?.n === 'after' || undefined)
  agent.close()
  await eventually(() => left[0])
  expect(left).toEqual([lab.printer.id])
})
