/** What runs on a company's nodes while they are killed, and the books of it: what was asked, what was acknowledged, what came. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type SimulatedPrinter, startSimulatedPrinter } from '@vigil/simulator/index.ts'
import { fieldsOf } from '@vigil/contract/fields.ts'
import { WebSocket } from 'ws'
import { inSuite } from '../../../scripts/suites.ts'
import type { Company } from './company.ts'
import { ask } from './support.ts'

const PICTURE_EVERY_S = 2
const SOON_MS = inSuite(400, 150)
/** Longer than a command may be on its way. */
const PATIENCE_MS = 20_000
const FILE_BYTES = 64_000

export interface Printer {
  readonly id: number
  readonly auth_token: string
}

/** A picture that an agent posted, and what it was answered; not those that only show a browser something at once. */
interface Posted {
  readonly at: number
  readonly status: number | null
}

/** An agent's websocket has ended, or is there again. */
interface Line {
  readonly at: number
  readonly isOpen: boolean
}

/** An order of the owner's; `sent` null: nobody can say whether it went out. */
interface Ordered {
  readonly cmd: 'pause' | 'resume'
  readonly from: number
  readonly sent: boolean | null
}

/** A printer under load, with all that went over its wires. */
export interface Loaded {
  readonly printer: Printer
  readonly machine: SimulatedPrinter
  readonly posted: Posted[]
  readonly lines: Line[]
  /** Commands that reached it. */
  readonly told: { readonly at: number; readonly cmd: string }[]
  readonly ordered: Ordered[]
  /** Each time a browser was shown something else: whether its agent is there, and why it is not watched. */
  readonly shown: { readonly at: number; readonly agent: string; readonly code: string | null }[]
}

/** Content that was accepted. */
interface Upload {
  readonly id: number
  readonly content: string
}

export interface CompanyLoad {
  readonly watched: readonly Loaded[]
  readonly commanded: readonly Loaded[]
  readonly uploads: Upload[]
  /** How often each printer was given a new name, and how often that was acknowledged. */
  readonly names: { readonly id: number; tried: number; acknowledged: number }[]
  /** Ends the clients that write; agents and viewers stay. */
  stopWriting(): Promise<void>
  end(): Promise<void>
}

/** A simulated agent behind the proxy that prints, with its books. */
function agentOf({ proxy }: Company, printer: Printer, seed: number, hasPictures: boolean): Loaded {
  const [posted, lines, told]: [Posted[], Line[], Loaded['told']] = [[], [], []]
  const machine = startSimulatedPrinter({
    server: proxy.url,
    token: printer.auth_token,
    flavour: seed % 2 === 0 ? 'klipper' : 'octoprint',
    seed,
    statusEverySeconds: 1,
    picEverySeconds: PICTURE_EVERY_S,
    reconnectPenaltyMs: 1_000,
    withoutPictures: !hasPictures,
    print: true,
    loop: true,
    onEvent({ at, kind, message }) {
      const { viewing_boost: boost } = fieldsOf(message['fields'])
      if (kind === 'http' && message['path'] === '/api/v1/octo/pic/' && !/^true$/i.test(String(boost)))
        posted.push({ at, status: typeof message['status'] === 'number' ? message['status'] : null })
      if (kind === 'note' && message['note'] === 'websocket open') lines.push({ at, isOpen: true })
      if (kind === 'note' && message['note'] === 'websocket closed') lines.push({ at, isOpen: false })
      if (kind === 'received' && Array.isArray(message['commands']))
        for (const { cmd } of message['commands'] as { cmd: string }[]) told.push({ at, cmd })
    },
  })
  return { printer, machine, posted, lines, told, ordered: [], shown: [] }
}

/** A browser that shows a printer, and comes back as pages do. */
async function view({ proxy }: Company, cookie: string, { printer, shown }: Loaded, signal: AbortSignal) {
  while (!signal.aborted) {
    const ws = new WebSocket(`${proxy.wsUrl}/ws/web/${printer.id}/`, {
      headers: { cookie, origin: proxy.url },
    })
    const over = Promise.withResolvers<void>()
    const leave = () => ws.terminate()
    signal.addEventListener('abort', leave, { once: true })
    ws.on('error', () => undefined)
    ws.on('close', () => over.resolve())
    ws.on('message', (data) => {
      const { agent, not_watching_code: code } = JSON.parse(String(data))
      const last = shown.at(-1)
      if (agent && (last?.agent !== agent.state || last?.code !== code))
        shown.push({ at: Date.now(), agent: agent.state, code })
    })
    await over.promise
    signal.removeEventListener('abort', leave)
    await sleep(SOON_MS)
  }
}

/** Pauses and resumes in turn. Whoever gets no answer does not know whether the command went out. */
async function command(company: Company, cookie: string, { printer, ordered }: Loaded): Promise<void> {
  const cmd = ordered.length % 2 === 0 ? 'pause' : 'resume'
  const from = Date.now()
  const path = `/api/v1/printers/${printer.id}/${cmd}_print/`
  const answer = await ask(company.proxy, 'POST', path, { cookie, body: {}, timeoutMs: PATIENCE_MS }).catch(
    () => null,
  )
  const isAnswer = answer?.status === 200 || answer?.status === 409
  ordered.push({ cmd, from, sent: isAnswer ? answer.json?.succeeded === true : null })
  await sleep(SOON_MS)
}

/** Brings a file that nobody has brought before. */
async function bring(company: Company, cookie: string, uploads: Upload[]): Promise<void> {
  const content = `; ${randomBytes(16).toString('hex')}\n${'G1 X10 Y10 E0.1\n'.repeat(FILE_BYTES / 16)}`
  const body = new FormData()
  body.append('filename', `part-${uploads.length}.gcode`)
  body.append('file', new Blob([content]), 'part.gcode')
  const { status, json } = await ask(company.proxy, 'POST', '/api/v1/g_code_files/', {
    cookie,
    body,
    timeoutMs: PATIENCE_MS,
  })
  if (status === 201) uploads.push({ id: json.id, content })
  await sleep(SOON_MS)
}

type Name = CompanyLoad['names'][number]

async function rename(company: Company, cookie: string, name: Name): Promise<void> {
  const path = `/api/v1/printers/${name.id}/`
  const body = { name: `n${++name.tried}` }
  const { status } = await ask(company.proxy, 'PATCH', path, { cookie, body, timeoutMs: PATIENCE_MS })
  if (status === 200) name.acknowledged = name.tried
  await sleep(SOON_MS)
}

interface Wanted {
  readonly cookie: string
  /** Their pictures are looked at, and browsers show them. */
  readonly watched: readonly Printer[]
  /** They are paused and resumed all the time. */
  readonly commanded: readonly Printer[]
}

/** Everybody begins, through the proxy. */
export function startLoad(company: Company, { cookie, ...printers }: Wanted): CompanyLoad {
  const ending = new AbortController()
  const watched = printers.watched.map((one, seed) => agentOf(company, one, seed, true))
  const commanded = printers.commanded.map((one, seed) => agentOf(company, one, 100 + seed, false))
  const viewers = watched.map((one) => view(company, cookie, one, ending.signal))
  const uploads: Upload[] = []
  const names = printers.commanded.map(({ id }) => ({ id, tried: 0, acknowledged: 0 }))
  let isWriting = true
  const forEver = async (work: () => Promise<void>) => {
    while (isWriting) await work().catch(() => sleep(SOON_MS))
  }
  const writers = [
    forEver(() => bring(company, cookie, uploads)),
    ...commanded.map((one) => forEver(() => command(company, cookie, one))),
    ...names.map((name) => forEver(() => rename(company, cookie, name))),
  ]
  return {
    watched,
    commanded,
    uploads,
    names,
    async stopWriting() {
      isWriting = false
      await Promise.all(writers)
    },
    async end() {
      isWriting = false
      ending.abort()
      await Promise.all([...writers, ...viewers])
      await Promise.all([...watched, ...commanded].map(({ machine }) => machine.stop()))
    },
  }
}
