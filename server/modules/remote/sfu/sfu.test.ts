import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { aPrinter, aUser, buildTestApp, type TestApp } from '../../../test/app.ts'
import { agentWithJanus, ANSWER, eventually, message, OFFER, openPage, play } from '../video/video.fixture.ts'

const on = (port: number) => ({ STREAM_FANOUT: 'on', STREAM_FANOUT_PORT: String(port) })
const apps: TestApp[] = []
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
})

async function house(env: Record<string, string>) {
  const app = await buildTestApp({ env })
  apps.push(app)
  const owner = await aUser(app)
  const printer = await aPrinter(app, owner)
  const agent = await agentWithJanus(app, printer.auth_token)
  const kinds = () => agent.asked.map(({ janus, body }) => body?.request ?? janus)
  return { agent, kinds, page: () => openPage(app, `/ws/janus/${printer.id}/`, owner.cookie) }
}

describe('a server that carries video itself', () => {
  it('is the one viewer of the Janus; what that says no viewer hears, and nothing is left there', async () => {
    const { agent, kinds, page } = await house(on(0))
    const [one, other] = [await page(), await page()]
    const at = await one.attach()
    expect(agent.asked).toEqual([])
    const { plugindata, session_id } = await one.ask(message(at, { request: 'info', id: 1 }))
    expect(plugindata.data.info.media).toEqual([{ mid: 'v', type: 'video', codec: 'h264' }])
    expect(session_id).toBe(at.session_id)
    await eventually(() => kinds().includes('destroy') || undefined)
    expect(kinds()).toEqual(['create', 'attach', 'info', 'destroy'])
    // Of a printer that offers what is no description of a stream nothing comes; it harms nobody.
    const theirs = await other.attach()
    // Both have asked before it says so: who comes later asks anew.
    const isAsked = ({ janus }: Record<string, unknown>) => janus === 'ack'
    agent.watchable = Promise.all([one.hear(isAsked), other.hear(isAsked)])
    const both = [
      one.ask(message(at, { request: 'watch', id: 1 })),
      other.ask(message(theirs, { request: 'watch', id: 1 })),
    ]
    for (const refused of await Promise.all(both))
      expect(refused).toMatchObject({ janus: 'error', error: { code: 503 } })
    expect(kinds().filter((kind) => kind === 'watch')).toHaveLength(1)
    const early = await one.ask(message(at, { request: 'start' }, { type: 'answer', sdp: ANSWER }))
    expect(early.plugindata.data.error_code).toBe(458)
    expect(JSON.stringify([one.heard, other.heard])).not.toContain('192.168.')
    expect(OFFER).toContain('192.168.')
    one.ws.terminate()
    other.ws.terminate()
    await eventually(() => (kinds().filter((kind) => kind === 'destroy').length === 2 ? true : undefined))
    agent.close()
  })

  it('listens where HOST says, and nowhere else', async () => {
    const probe = createSocket('udp4').bind(0, '127.0.0.1')
    await once(probe, 'listening')
    const { port } = probe.address()
    await new Promise<void>((resolve) => probe.close(() => resolve()))
    const { agent, page } = await house({ ...on(port), HOST: '127.0.0.1' })
    const viewer = await page()
    await viewer.attach()
    const [there, elsewhere] = [createSocket('udp4'), createSocket('udp4')]
    there.bind(port, '127.0.0.1')
    await expect(once(there, 'listening')).rejects.toThrow('EADDRINUSE')
    elsewhere.bind(port, '127.0.0.2')
    await once(elsewhere, 'listening')
    for (const socket of [there, elsewhere]) socket.close()
    viewer.ws.terminate()
    agent.close()
  })

  it('relays as without where it cannot', async () => {
    const taken = createSocket('udp4').bind(0)
    await once(taken, 'listening')
    const { agent, kinds, page } = await house(on(taken.address().port))
    // Who comes before that is known is sent away, and comes again.
    const early = await page()
    early.send({ janus: 'create', transaction: 'x' })
    await eventually(() => early.closed === 4404 || undefined)
    const late = await page()
    await play(late)
    expect(kinds()).toEqual(['create', 'attach', 'watch', 'start'])
    late.ws.terminate()
    agent.close()
    taken.close()
  })
})
