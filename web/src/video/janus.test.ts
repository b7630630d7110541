import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Heard, JanusViewer } from './janus.ts'

type Said = Record<string, any>

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A viewer, and what its gateway hears. */
function aViewer() {
  const said: Said[] = []
  const told: unknown[][] = []
  const heard = Object.fromEntries(
    ['onOffer', 'onCandidate', 'onUp', 'onRest', 'onOver'].map((name) => [
      name,
      (...args: unknown[]) => told.push([name, ...args]),
    ]),
  ) as unknown as Heard
  const viewer = new JanusViewer((text) => said.push(JSON.parse(text)), heard)
  const say = (message: Said) => viewer.hear(JSON.stringify(message))
  const last = () => said.at(-1)!
  const succeed = (id: number, more: Said = {}) =>
    say({ janus: 'success', transaction: last()['transaction'], data: { id }, ...more })
  return { viewer, said, told, say, last, succeed }
}

function watching() {
  const made = aViewer()
  made.viewer.watch(1, true)
  made.succeed(7, { ice_servers: [{ urls: ['stun:s.example:3478'] }] })
  made.succeed(9)
  return made
}

const ofPlugin = (data: Said, more: Said = {}) => ({
  janus: 'event',
  session_id: 7,
  sender: 9,
  plugindata: { plugin: 'janus.plugin.streaming', data: { streaming: 'event', ...data } },
  ...more,
})

it('asks for a stream, answers the offer, shows its candidates, and leaves nothing behind', () => {
  const { viewer, said, told, say, last } = watching()
  expect(last()).toMatchObject({
    janus: 'message',
    session_id: 7,
    handle_id: 9,
    body: { request: 'watch', id: 1, offer_video: true },
  })
  say({ janus: 'ack', session_id: 7, transaction: last()['transaction'] })
  say(ofPlugin({ result: { status: 'preparing' } }, { jsep: { type: 'offer', sdp: 'v=0' } }))
  expect(told).toEqual([['onOffer', 'v=0', [{ urls: ['stun:s.example:3478'] }]]])
  viewer.answer('v=0 answer')
  expect(last()).toMatchObject({ body: { request: 'start' }, jsep: { type: 'answer', sdp: 'v=0 answer' } })
  const one = { candidate: 'candidate:1', sdpMid: '0' }
  viewer.trickle(one)
  viewer.trickle(one)
  vi.advanceTimersByTime(10)
  viewer.trickle(one)
  viewer.trickle(null)
  expect(said.slice(-2).map(({ candidates }) => candidates)).toEqual([
    [one, one],
    [one, { completed: true }],
  ])
  say({ janus: 'webrtcup', session_id: 7, sender: 9, play: { left_ms: 30_000 } })
  say({ janus: 'slowlink', session_id: 7, uplink: false, lost: 12 })
  expect(told.slice(1)).toEqual([['onUp', 30_000]])
  vi.advanceTimersByTime(25_000)
  expect(last()).toMatchObject({ janus: 'keepalive', session_id: 7 })
  expect(last()['handle_id']).toBeUndefined()
  viewer.close()
  expect(said.slice(-3).map(({ janus, body }) => body?.request ?? janus)).toEqual([
    'stop',
    'hangup',
    'destroy',
  ])
  const before = said.length
  vi.advanceTimersByTime(120_000)
  expect(said.length, 'nothing is said after the last word').toBe(before)
})

it('says what a refusal means', () => {
  const reasons = (message: (last: Said) => Said) => {
    const { told, say, last } = watching()
    say(message(last()))
    return told
  }
  expect(reasons(() => ofPlugin({ error_code: 455 }))).toEqual([['onOver', 'missing']])
  expect(reasons(({ transaction }) => ({ janus: 'error', transaction, error: { code: 403 } }))).toEqual([
    ['onOver', 'missing'],
  ])
  expect(reasons(() => ({ janus: 'error', error: { code: 429 } }))).toEqual([['onOver', 'busy']])
  expect(reasons(() => ofPlugin({ error_code: 4290 }, { rest: { left_ms: 9000 } }))).toEqual([
    ['onRest', 9000],
    ['onOver', 'busy'],
  ])
  expect(reasons(() => ({ janus: 'timeout', session_id: 7 }))).toEqual([['onOver', 'lost']])
  const { viewer, told, say, last } = aViewer()
  viewer.watch(1, true)
  say({ janus: 'error', transaction: last()['transaction'], error: { code: 490 } })
  expect(told).toEqual([['onOver', 'nobody']])
})

it('hears nothing that is another viewer’s, and survives whatever a printer says', () => {
  const { viewer, told, say } = watching()
  say(ofPlugin({}, { session_id: 8, jsep: { type: 'offer', sdp: 'v=0' } }))
  say({ janus: 'hangup', session_id: 8 })
  say({ janus: 'success', transaction: 'of-somebody', data: { id: 5 } })
  for (const text of ['', 'null', '[]', '7', '{', '{"janus":{}}', '{"janus":"event","session_id":7}'])
    viewer.hear(text)
  say({ janus: 'slowlink', session_id: 7, lost: 'many' })
  say({ janus: 'slowlink', session_id: 7, lost: 1e12 })
  say({ janus: 'trickle', session_id: 7, candidate: { completed: true } })
  expect(told).toEqual([])
})
