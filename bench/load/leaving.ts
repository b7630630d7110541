/** Many agents, each a socket and a status now and then, which keep to their print when they leave and come back. */
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { answerBenchmark } from '../lib/load.ts'

export interface LeavingLoad extends Record<string, (input: never) => unknown> {
  come(options: { readonly url: string; readonly tokens: readonly string[] }): Promise<void>
  /** So many of them report that they print. */
  print(count: number): void
  open(): number
  leave(): void
}

const STATUS_EVERY_MS = 30_000
const CONNECTING_AT_ONCE = 50
const KEY = 1_790_000_000

let sockets: WebSocket[] = []
let printing = 0
let turn: NodeJS.Timeout | undefined
let at = 0

const status = (prints: boolean) =>
  JSON.stringify({
    current_print_ts: prints ? KEY : -1,
    status: {
      _ts: Date.now() / 1000,
      state: { text: prints ? 'Printing' : 'Operational', flags: { printing: prints, operational: true } },
      job: { file: { name: prints ? 'part.gcode' : null } },
      progress: prints ? { completion: 10, printTime: 60 } : {},
    },
  })

const report = (index: number) => {
  const socket = sockets[index]
  if (socket?.readyState === WebSocket.OPEN) socket.send(status(index < printing))
}

/** Each reports in its turn. */
function keepReporting(count: number): void {
  const each = Math.max(1, Math.ceil((count * 100) / STATUS_EVERY_MS))
  turn ??= setInterval(() => {
    for (let n = 0; n < each; n++) report(at++ % count)
  }, 100)
}

answerBenchmark({
  async come({ url, tokens }) {
    const address = `${url.replace('http', 'ws')}/ws/dev/`
    const headers = (token: string) => ({ authorization: `bearer ${token}`, origin: url })
    let next = 0
    sockets = []
    const connect = async (index: number): Promise<void> => {
      for (;;) {
        const ws = new WebSocket(address, { headers: headers(tokens[index] ?? ''), perMessageDeflate: false })
        ws.on('error', () => undefined)
        const isIn = await new Promise<boolean>((resolve) => {
          ws.once('message', () => resolve(true))
          ws.once('close', () => resolve(false))
        })
        sockets[index] = ws
        if (isIn) return report(index)
        await sleep(1_000)
      }
    }
    const one = async () => {
      while (next < tokens.length) await connect(next++)
    }
    keepReporting(tokens.length)
    await Promise.all(Array.from({ length: CONNECTING_AT_ONCE }, one))
  },
  print(count) {
    printing = count
    for (let index = 0; index < count; index++) report(index)
  },
  open: () => sockets.filter(({ readyState }) => readyState === WebSocket.OPEN).length,
  leave() {
    clearInterval(turn)
    turn = undefined
    for (const socket of sockets.splice(0)) socket.terminate()
  },
} satisfies LeavingLoad)
