/** Agents whose printers print, post a picture when they are asked to, and pause when they are told to. */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { Connection } from '../lib/connection.ts'
import { answerBenchmark } from '../lib/load.ts'

export interface FailingLoad extends Record<string, (input: never) => unknown> {
  connect(options: { url: string; tokens: readonly string[] }): Promise<void>
  /** Each begins a print of this key. */
  print(key: number): void
  /** All post a picture at once; returns milliseconds from the first byte until each heard its pause. */
  post(requests: readonly Uint8Array[]): Promise<readonly number[]>
}

const PAUSED_WITHIN_MS = 30_000

interface Agent {
  readonly ws: WebSocket
  pausedAt: number | null
}

let agents: Agent[] = []
let server = ''
let key = 0

function report({ ws }: Agent, text: 'Printing' | 'Paused', event?: string): void {
  const flags = { printing: text === 'Printing', paused: text === 'Paused' }
  ws.send(
    JSON.stringify({
      current_print_ts: key,
      ...(event && { event: { event_type: event } }),
      status: {
        _ts: Date.now() / 1000,
        state: { text, flags },
        job: { file: { name: 'vase.gcode' } },
        progress: { completion: 20, printTime: 600 },
      },
    }),
  )
}

async function connect(url: string, token: string): Promise<Agent> {
  const ws = new WebSocket(`${url.replace('http', 'ws')}/ws/dev/`, {
    headers: { authorization: `bearer ${token}` },
    perMessageDeflate: false,
  })
  const agent: Agent = { ws, pausedAt: null }
  const greeted = once(ws, 'message')
  ws.on('message', (data) => {
    if (!String(data).includes('"pause"')) return
    agent.pausedAt ??= performance.now()
    report(agent, 'Paused', 'PrintPaused')
  })
  await greeted
  return agent
}

answerBenchmark({
  async connect({ url, tokens }) {
    server = url
    agents = []
    for (const token of tokens) agents.push(await connect(url, token))
  },
  print(next) {
    key = next
    for (const agent of agents) {
      agent.pausedAt = null
      report(agent, 'Printing')
    }
  },
  async post(requests) {
    const began = performance.now()
    await Promise.all(
      requests.map(async (request) => {
        const connection = await Connection.open(server)
        const status = await connection.send(request)
        connection.close()
        if (status !== 200) throw new Error(`a picture was answered ${status}`)
      }),
    )
    while (agents.some(({ pausedAt }) => pausedAt === null) && performance.now() - began < PAUSED_WITHIN_MS)
      await sleep(5)
    return agents.flatMap(({ pausedAt }) => (pausedAt === null ? [] : [pausedAt - began]))
  },
} satisfies FailingLoad)
