import { connectAgent, eventually, type WireAgent } from '../../../test/wire/agent.ts'
import { openBrowser, type WireBrowser } from '../../../test/wire/browser.ts'
import type { TestApp } from '../../../test/app.ts'

export const OFFER = [
  'v=0',
  'o=- 17000 1 IN IP4 192.168.1.5',
  's=Mountpoint 1',
  't=0 0',
  'm=video 9 UDP/TLS/RTP/SAVPF 96',
  'c=IN IP4 192.168.1.5',
  'a=candidate:1 1 udp 2015363327 192.168.1.5 20003 typ host',
  'a=candidate:2 1 udp 1679819007 203.0.113.9 20003 typ srflx raddr 192.168.1.5 rport 20003',
  'a=end-of-candidates',
  '',
].join('\r\n')
export const ANSWER = OFFER.replaceAll('192.168.1.5', '0.0.0.0')

/** An agent whose Janus answers as one does, as far as a viewer gets. */
export interface JanusAgent extends WireAgent {
  /** What its Janus was asked, in order. */
  readonly asked: any[]
  /** Its Janus says something. */
  tell(message: object): void
  /** It answers no `watch` before this. */
  watchable: Promise<unknown>
}

export async function agentWithJanus(app: Pick<TestApp, 'wsUrl'>, token: string): Promise<JanusAgent> {
  const wire = await connectAgent(app, token)
  const asked: any[] = []
  let next = 1000
  const tell = (message: object) => wire.send({ janus: JSON.stringify(message, null, 3) })
  const agent: JanusAgent = Object.assign(wire, { asked, tell, watchable: Promise.resolve() })
  wire.ws.on('message', (data) => {
    const { janus } = JSON.parse(String(data)) as { janus?: string }
    if (janus === undefined) return
    const message = JSON.parse(janus)
    asked.push(message)
    const { transaction, session_id, handle_id: sender, body } = message
    const plugindata = (data: object) => ({ plugin: 'janus.plugin.streaming', data })
    if (message.janus === 'create' || message.janus === 'attach')
      return tell({ janus: 'success', transaction, session_id, data: { id: ++next } })
    if (message.janus !== 'message')
      return tell({ janus: message.janus === 'destroy' ? 'success' : 'ack', transaction, session_id })
    if (body.request === 'info')
      return tell({
        janus: 'success',
        session_id,
        sender,
        transaction,
        plugindata: plugindata({
          streaming: 'info',
          info: {
            id: body.id,
            type: 'rtp',
            secret: 'hidden',
            pin: '7777',
            media: [{ mid: 'v', type: 'video', codec: 'h264', host: '192.168.1.5', port: 17732 }],
          },
        }),
      })
    const answer = () => {
      tell({ janus: 'ack', session_id, transaction })
      const status = { watch: 'preparing', start: 'starting', pause: 'pausing', stop: 'stopping' }[
        body.request as 'watch'
      ]
      tell({
        janus: 'event',
        session_id,
        sender,
        transaction,
        plugindata: plugindata({ streaming: 'event', result: { status } }),
        ...(body.request === 'watch' ? { jsep: { type: 'offer', sdp: OFFER } } : {}),
      })
      if (body.request === 'start') tell({ janus: 'webrtcup', session_id, sender })
    }
    if (body.request === 'watch') void agent.watchable.then(answer)
    else answer()
  })
  await wire.hear(({ remote_status }) => remote_status !== undefined)
  // Its record is read by those who come.
  wire.send({
    current_print_ts: -1,
    status: { _ts: Date.now() / 1000, state: { text: 'Operational', flags: {} } },
  })
  return agent
}

/** A page that shows video. */
export interface Page extends WireBrowser {
  /** Says something, with a transaction of its own, and waits for the first answer that is no `ack`. */
  ask(message: object): Promise<any>
  /** Sessions are made and left as players do it: session and handle. */
  attach(): Promise<{ session_id: number; handle_id: number }>
}

let count = 0

export async function openPage(
  app: Pick<TestApp, 'url' | 'wsUrl'>,
  path: string,
  cookie = '',
  headers?: Record<string, string>,
): Promise<Page> {
  const page = await openBrowser(app, path, cookie, headers)
  const ask = async (message: object) => {
    const transaction = `t${++count}`
    page.send({ ...message, transaction })
    return await page.hear((one) => one['transaction'] === transaction && one['janus'] !== 'ack')
  }
  return Object.assign(page, {
    ask,
    async attach() {
      const session_id = (await ask({ janus: 'create' })).data.id
      const { data } = await ask({ janus: 'attach', session_id, plugin: 'janus.plugin.streaming' })
      return { session_id, handle_id: data.id }
    },
  })
}

export const message = (at: object, body: object, jsep?: object) => ({ janus: 'message', ...at, body, jsep })

/** Plays a camera until its pictures come. */
export async function play(page: Page, id = 1): Promise<{ session_id: number; handle_id: number; up: any }> {
  const at = await page.attach()
  await page.ask(message(at, { request: 'watch', id, offer_video: true }))
  await page.ask(message(at, { request: 'start' }, { type: 'answer', sdp: ANSWER }))
  const up = await page.hear((one) => one['janus'] === 'webrtcup' && one['session_id'] === at.session_id)
  return { ...at, up }
}

export { eventually }
