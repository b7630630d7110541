/** Simulated agents, light, each one status a second. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type SimulatedPrinter, startSimulatedPrinter } from '../../simulator/index.ts'
import { answerBenchmark } from '../lib/load.ts'

export interface AgentsLoad extends Record<string, (input: never) => unknown> {
  /** More agents, beside those that are there. */
  start(options: AgentsOptions): Promise<void>
  read(): { readonly statuses: number; readonly connected: number }
  stop(): Promise<void>
}

export interface AgentsOptions {
  readonly url: string
  readonly tokens: readonly string[]
  /** The first so many print, over and over. */
  readonly printing: number
  /** The first so many post a picture every 10 s while they print. */
  readonly posting: number
}

const CONNECT_EVERY_MS = 5
const CONNECT_WITHIN_MS = 300_000

const printers: SimulatedPrinter[] = []
let statuses = 0

const read = () => ({ statuses, connected: printers.filter(({ isConnected }) => isConnected).length })

answerBenchmark({
  async start({ url, tokens, printing, posting }) {
    for (const [index, token] of tokens.entries()) {
      printers.push(
        startSimulatedPrinter({
          server: url,
          token,
          seed: index + 1,
          // Only Klipper's time of a status is finer than a second: browsers look at the even ones.
          flavour: index % 2 === 0 ? 'klipper' : 'octoprint',
          light: true,
          statusEverySeconds: 1,
          print: index < printing,
          loop: true,
          withoutPictures: index >= posting,
          onEvent: ({ kind, message }) => {
            if (kind === 'sent' && 'status' in message) statuses++
          },
        }),
      )
      await sleep(CONNECT_EVERY_MS)
    }
    const until = Date.now() + CONNECT_WITHIN_MS
    while (read().connected < printers.length) {
      if (Date.now() > until)
        throw new Error(`only ${read().connected} of ${printers.length} agents connected`)
      await sleep(100)
    }
  },
  read,
  async stop() {
    await Promise.all(printers.splice(0).map((printer) => printer.stop()))
  },
} satisfies AgentsLoad)
