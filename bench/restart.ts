import { setTimeout as sleep } from 'node:timers/promises'
import { type FlavourName, type SimulatedPrinter, startSimulatedPrinter } from '../simulator/index.ts'
import type { Benchmark } from './lib/benchmark.ts'
import { quantile } from './lib/numbers.ts'
import { startBenchServer } from './lib/server.ts'

const EACH = 8
const AIM_PRINTING_S = 15
const AIM_IDLE_S = 60
/** Longer than a refused agent stays away. */
const PATIENCE_MS = 200_000
const SETTLE_MS = 60_000

interface Agent {
  readonly flavour: FlavourName
  readonly isPrinting: boolean
  readonly printer: SimulatedPrinter
}

/** Seconds that each agent was away, beginning with what `disturb` does. */
async function gaps(agents: readonly Agent[], disturb: () => Promise<unknown>): Promise<Map<Agent, number>> {
  const away = new Map<Agent, number>()
  const back = agents.map(async (agent) => {
    const { printer } = agent
    let leftAt: number | null = null
    const note = ({ message: { note } }: { message: Record<string, unknown> }) => {
      if (note === 'websocket closed') leftAt ??= performance.now()
      if (note === 'websocket open' && leftAt !== null) away.set(agent, (performance.now() - leftAt) / 1000)
    }
    const stop = printer.onEvent(note)
    const until = performance.now() + PATIENCE_MS
    while (!away.has(agent) && performance.now() < until) await sleep(50)
    stop()
    if (!away.has(agent)) throw new Error(`a ${agent.flavour} agent did not come back`)
  })
  await disturb()
  await Promise.all(back)
  return away
}

const restart: Benchmark = {
  name: 'restart',
  conditions:
    `How long ${EACH} simulated agents of each kind are without their websocket, from its close to the next open one, ` +
    'all at their real pace: Klipper reports every 30 s, OctoPrint every 50 s, and every 10 s for 15 s after an event, a ' +
    'change of layer among them. As the real ones, an agent knocks only when it has something to say, stays away 120 s ' +
    'when it is refused, and leaves its old connection half open (OctoPrint). Nobody looks at the printers. In a restart ' +
    '(`./vigil restart`) nobody is refused; in a stop and start of the whole server, with its database, who knocks between is.',
  async run(say) {
    let server = await startBenchServer()
    const agents: Agent[] = []
    try {
      await server.signIn()
      const kinds = (['octoprint', 'klipper'] as const).flatMap((flavour) =>
        [true, false].map((isPrinting) => ({ flavour, isPrinting })),
      )
      const added = await server.addPrinters(EACH * kinds.length)
      for (const [i, { auth_token: token }] of added.entries()) {
        const kind = kinds[i % kinds.length]!
        const printer = startSimulatedPrinter({
          server: server.url,
          token,
          flavour: kind.flavour,
          seed: i + 1,
          light: true,
          print: kind.isPrinting,
          withoutPictures: true,
        })
        agents.push({ ...kind, printer })
        // Each in its own rhythm.
        await sleep(700)
      }
      await sleep(SETTLE_MS)
      say('restart')
      const kept = await gaps(agents, async () => void process.kill(server.pid, 'SIGUSR2'))
      await sleep(SETTLE_MS)
      say('stop and start')
      const { dataFolder, port } = server
      const stopped = await gaps(agents, async () => {
        await server.stop({ keepData: true })
        server = await startBenchServer({ dataFolder, port })
      })
      return kinds.flatMap((kind) => {
        const of = (all: Map<Agent, number>) =>
          [...all].flatMap(([agent, seconds]) =>
            agent.flavour === kind.flavour && agent.isPrinting === kind.isPrinting ? [seconds] : [],
          )
        const name = `${kind.flavour}, ${kind.isPrinting ? 'printing' : 'idle'}`
        const aim = { below: kind.isPrinting ? AIM_PRINTING_S : AIM_IDLE_S }
        return [
          { what: `restart: ${name}, away`, unit: 's', values: of(kept) },
          { what: `restart: ${name}, the last one`, unit: 's', values: [quantile(of(kept), 1)], aim },
          { what: `stop and start: ${name}, away`, unit: 's', values: of(stopped) },
        ]
      })
    } finally {
      await Promise.all(agents.map(({ printer }) => printer.stop()))
      await server.stop()
    }
  },
}

export const benchmarks = [restart]
