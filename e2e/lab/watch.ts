import type { Page } from 'playwright-core'
import { FIELD, FIELDS } from './camera.ts'

/** What a page saw of one camera so far. */
export interface Seen {
  /** Milliseconds from opening the socket to the first picture. */
  firstMs: number | null
  frames: number
  /** Milliseconds from drawing to showing, of each picture. */
  latencies: number[]
  ice: string
  /** How the pictures come: `host`, `relay`, with `udp` or `tcp` to the relay. */
  pair: string
  /** ICE's own failures: 401 for a password that counts no more. */
  iceErrors: number[]
  /** Of the socket; null while it is open. */
  closed: number | null
  sessionId: number | null
}

export interface Watch {
  readonly name: string
  readonly path: string
  readonly id: number
  readonly isMjpeg?: boolean
  /** Only by a relay. */
  readonly relayOnly?: boolean
}

/** Has a page watch a camera with no more than a browser has: Janus' words, WebRTC, and a canvas that reads the barcode. */
export async function watchCamera(page: Page, watch: Watch): Promise<void> {
  await page.evaluate(startWatching, { ...watch, field: FIELD, fields: FIELDS })
}

/** What it has seen by now. */
export const look = (page: Page, name: string): Promise<Seen> =>
  page.evaluate(async (which) => {
    const all = (
      window as unknown as { labViews: Record<string, { seen: Seen; pc: RTCPeerConnection | null }> }
    ).labViews
    const { seen, pc } = all[which]!
    const stats = [...((await pc?.getStats())?.values() ?? [])] as Record<string, any>[]
    const selected = stats.find((one) => one['type'] === 'transport')?.['selectedCandidatePairId']
    const pair = stats.find((one) => one['id'] === selected)
    const local = stats.find((one) => one['id'] === pair?.['localCandidateId'])
    seen.pair = local ? `${local['candidateType']} ${local['relayProtocol'] ?? local['protocol']}` : ''
    seen.ice = pc?.iceConnectionState ?? ''
    return seen
  }, name)

/** Waits until it has seen so many pictures. */
export async function untilSeen(page: Page, name: string, frames: number, ms = 60_000): Promise<Seen> {
  await page.waitForFunction(
    ([which, wanted]) => (window as any).labViews[which].seen.frames >= wanted,
    [name, frames] as const,
    { timeout: ms, polling: 50 },
  )
  return await look(page, name)
}

/** Runs in the page. */
function startWatching(watch: Watch & { field: number; fields: number }): void {
  const views = ((window as any).labViews ??= {})
  const seen: Seen = {
    firstMs: null,
    frames: 0,
    latencies: [],
    ice: '',
    pair: '',
    iceErrors: [],
    closed: null,
    sessionId: null,
  }
  const view: { seen: Seen; pc: RTCPeerConnection | null; ws: WebSocket } = {
    seen,
    pc: null,
    ws: null as any,
  }
  views[watch.name] = view
  const canvas = document.createElement('canvas')
  canvas.width = watch.field * watch.fields
  canvas.height = 1
  const ink = canvas.getContext('2d', { willReadFrequently: true })!
  const started = performance.now()
  const show = (picture: CanvasImageSource) => {
    ink.drawImage(picture, 0, 16, canvas.width, 1, 0, 0, canvas.width, 1)
    const { data } = ink.getImageData(0, 0, canvas.width, 1)
    let bits = ''
    for (let i = 0; i < watch.fields; i++) bits += data[4 * (i * watch.field + 6)]! > 127 ? '1' : '0'
    seen.firstMs ??= performance.now() - started
    seen.frames++
    const age = Date.now() - parseInt(bits, 2)
    if (age >= 0 && age < 60_000) seen.latencies.push(age)
  }

  const ws = new WebSocket(`ws://${location.host}${watch.path}`, 'janus-protocol')
  view.ws = ws
  const waiting = new Map<string, (answer: any) => void>()
  let count = 0
  const tell = (message: object) => ws.send(JSON.stringify({ transaction: `n${++count}`, ...message }))
  const ask = (message: object) =>
    new Promise<any>((resolve) => {
      waiting.set(`n${++count}`, resolve)
      ws.send(JSON.stringify({ transaction: `n${count}`, ...message }))
    })
  ws.addEventListener('close', ({ code }) => (seen.closed = code))
  ws.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(data)
    if (answer.janus === 'ack') return
    waiting.get(answer.transaction)?.(answer)
    waiting.delete(answer.transaction)
  })

  /** Base64 in pieces, from a header to the length that it announced (docs/wire/agents.md 4.4). */
  const hearPictures = (channel: RTCDataChannel) => {
    channel.binaryType = 'arraybuffer'
    let text = ''
    let length = -1
    channel.addEventListener('message', ({ data }) => {
      const part = typeof data === 'string' ? data : new TextDecoder().decode(data)
      const header = /^\r\n(\d+):\d+\r\n/.exec(part)
      if (header) [text, length] = ['', Number(header[1])]
      else if (length > 0) text += part
      if (length < 0 || text.length < length) return
      const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0))
      length = -1
      void createImageBitmap(new Blob([bytes])).then(show, () => undefined)
    })
  }

  const play = async () => {
    const created = await ask({ janus: 'create' })
    const session_id = (seen.sessionId = created.data.id)
    const attached = await ask({ janus: 'attach', session_id, plugin: 'janus.plugin.streaming' })
    const at = { session_id, handle_id: attached.data.id }
    const body = { request: 'watch', id: watch.id, offer_video: watch.isMjpeg !== true }
    const { jsep } = await ask({ janus: 'message', ...at, body })
    const iceTransportPolicy = watch.relayOnly ? 'relay' : 'all'
    const pc = new RTCPeerConnection({ iceServers: created.ice_servers, iceTransportPolicy })
    view.pc = pc
    pc.addEventListener('icecandidateerror', ({ errorCode }) => seen.iceErrors.push(errorCode))
    pc.addEventListener('icecandidate', ({ candidate }) =>
      tell({ janus: 'trickle', ...at, candidate: candidate?.toJSON() ?? { completed: true } }),
    )
    pc.addEventListener('track', ({ streams, track }) => {
      const video = Object.assign(document.createElement('video'), { muted: true, autoplay: true })
      video.srcObject = streams[0] ?? new MediaStream([track])
      document.body.append(video)
      const next = () => {
        show(video)
        video.requestVideoFrameCallback(next)
      }
      video.requestVideoFrameCallback(next)
      void video.play()
    })
    const channel = pc.createDataChannel('JanusDataChannel', { ordered: true })
    if (watch.isMjpeg) hearPictures(channel)
    await pc.setRemoteDescription(jsep)
    await pc.setLocalDescription(await pc.createAnswer())
    tell({ janus: 'message', ...at, body: { request: 'start' }, jsep: pc.localDescription?.toJSON() })
    setInterval(() => ws.readyState === 1 && tell({ janus: 'keepalive', session_id }), 20_000)
  }
  ws.addEventListener('open', () => void play())
}
