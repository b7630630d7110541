import { serialize } from 'bson'
import { expect, it, vi } from 'vitest'
import type { Live } from '../../../engines/live/port.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { agentLab } from '../agents/agents.fixture.ts'
import { Receivers } from './frames.ts'
import { type Line, onFrame } from '../agents/index.ts'

const lab = agentLab()
const line = { printerId: 7 } as Line

it('a room takes its kind of frames as they came', async () => {
  const ctx = { ...lab.app.ctx, live: {} as Live }
  const taken: unknown[] = []
  onFrame(ctx, 'tunnel', async (_ctx, { printerId }) => ({
    hear: (_frame, message) => void taken.push({ printerId, ...message }),
    greeting: { tunnels: true },
    leave: () => void taken.push('left'),
    end: () => void taken.push('ended'),
  }))
  expect(() => onFrame(ctx, 'tunnel', () => ({ hear: () => undefined }))).toThrow('taken twice')
  const receivers = await Receivers.open(ctx, line)
  expect(receivers?.greeting).toEqual({ tunnels: true })
  const message = { data: Buffer.from(serialize({ 'http.tunnelv2': {} })), isBinary: true }
  receivers?.hear({ kind: 'janus', text: '' }, message)
  receivers?.hear({ kind: 'tunnel' }, message)
  receivers?.end()
  receivers?.leave()
  expect(taken).toEqual([{ printerId: 7, ...message }, 'ended', 'left'])
})

it('a room that fails at a frame harms nobody', async () => {
  const agent = await lab.greeted()
  const hear = vi.spyOn(Receivers.prototype, 'hear').mockImplementationOnce(() => {
    throw new Error('mine')
  })
  agent.send({ janus: '{}' })
  agent.send({ current_print_ts: -1, status: lab.status({ n: 'after' }, false) })
  await eventually(async () => (await lab.shown())?.n === 'after' || undefined)
  expect(hear).toHaveBeenCalledTimes(2)
  hear.mockRestore()
  agent.close()
})
