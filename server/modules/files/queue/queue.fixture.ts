import type { Queue } from '@vigil/contract/files/queue.ts'
import { aPrinter, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { connectAgent, eventually, type WireAgent } from '../../../test/wire/agent.ts'

export const GCODE =
  '; estimated printing time (normal mode) = 10m 0s\nG28\nG1 X10 Y10 Z0.2 F3000\nG1 X20 Y20 E1\n'

/** A print that is told to an agent. */
export interface Told {
  readonly ref: string
  readonly file: { readonly id: number; readonly filename: string; readonly url: string }
}

/** An agent in our own hands: its printer does what the test says, and it answers that it will print. */
export interface HandAgent {
  readonly id: number
  readonly agent: WireAgent
  /** What it was told to print, in order, of all its sockets. */
  readonly orders: Told[]
  /** Says how the printer stands. */
  say(text: string, flags?: object, message?: object): void
  idle(): void
  /** Begins to print what it was told last, or a file of somebody else. */
  print(filename?: string): void
  finish(): void
  close(): void
}

let clock = 1_790_000_000

/** Where a server is, its own process or another. */
type Where = Pick<TestApp, 'url' | 'wsUrl'>
/** Who asks: by a token, else by the cookie of a browser. */
type Who = Partial<Pick<TestUser, 'token' | 'cookie'>>
const credential = ({ token, cookie }: Who): Who =>
  token === undefined ? (cookie === undefined ? {} : { cookie }) : { token }

/** The queue of a user as tests drive it. */
export function queueOf(app: () => Where, owner: () => Who) {
  const ask = (method: string, path = '', body?: unknown, who = owner()) =>
    call(app(), method, `/api/v1/queue/${path}`, {
      ...credential(who),
      body,
    })
  const read = async (): Promise<Queue> => (await ask('GET')).json
  const printer = async (id: number) => {
    const found = (await read()).printers.find((one) => one.id === id)
    if (found === undefined) throw new Error(`printer ${id} is not in the queue`)
    return found
  }
  return {
    ask,
    read,
    printer,
    /** Waits until the queue is so. */
    until: async (test: (queue: Queue) => boolean, ms = 60_000): Promise<Queue> => {
      let last: Queue | undefined
      return await eventually(
        async () => (test((last = await read())) ? last : undefined),
        ms,
        () => JSON.stringify(last),
      )
    },
    add: async (file: number, more: object = {}): Promise<Queue> => {
      const { status, json } = await ask('POST', '', { g_code_file_id: file, ...more })
      if (status !== 201) throw new Error(JSON.stringify(json))
      return json
    },
    /** Says that the bed is clear, of the state that is shown. */
    clear: async (id: number) =>
      await ask('POST', `printers/${id}/bed_cleared/`, { bed: (await printer(id)).bed }),
  }
}

export async function upload(
  app: TestApp,
  { token }: TestUser,
  filename: string,
  text = GCODE,
): Promise<number> {
  const form = new FormData()
  form.set('filename', filename)
  form.set('file', new Blob([text]), 'x')
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${app.url}/api/v1/g_code_files/`, { method: 'POST', headers, body: form })
  return ((await answer.json()) as { id: number }).id
}

interface HandOptions {
  readonly owner: Who
  readonly version?: string
  /** What it was told before it came back. */
  readonly orders?: Told[]
  /** It is told to print: it answers unless this says false. */
  readonly onOrder?: () => boolean
}

/** What it tells when it is asked what machine it is. */
const MACHINE = {
  status: {
    toolhead: { axis_minimum: [0, 0, 0, 0], axis_maximum: [220, 220, 250, 0] },
    configfile: { settings: { extruder: { nozzle_diameter: 0.4, max_temp: 260 }, heater_bed: {} } },
  },
}

/** Connects an agent of a printer that stands idle. */
export async function handAgent(
  app: Where,
  { id, auth_token: token }: { id: number; auth_token: string },
  { owner, version = '2.1.4', orders = [], onOrder = () => true }: HandOptions,
): Promise<HandAgent> {
  const agent = await connectAgent(app, token)
  await agent.hear(({ remote_status }) => remote_status !== undefined)
  const hear = (data: unknown) => {
    const { passthru } = JSON.parse(String(data)) as { passthru?: any }
    if (passthru === undefined) return
    if (passthru.func !== 'download') return agent.send({ passthru: { ref: passthru.ref, ret: MACHINE } })
    orders.push({ ref: passthru.ref, file: passthru.args[0] })
    if (onOrder()) agent.send({ passthru: { ref: passthru.ref, ret: { target_path: 'x' } } })
  }
  agent.ws.on('message', hear)
  let printTs = -1
  let job: object = {}
  const IDLE = { operational: true, ready: true, printing: false, paused: false, closedOrError: false }
  const say = (text: string, flags: object = {}, message: object = {}) =>
    agent.send({
      current_print_ts: printTs,
      status: { _ts: Date.now() / 1000, state: { text, flags: { ...IDLE, ...flags } }, job },
      settings: { agent: { name: 'moonraker_obico', version } },
      ...message,
    })
  const one: HandAgent = {
    id,
    agent,
    orders,
    say,
    idle: () => say('Operational'),
    print(filename) {
      const told = orders.at(-1)
      printTs = clock++
      const file = filename ?? told?.file.filename ?? 'x.gcode'
      job = { file: { name: file, path: file, ...(filename ? {} : { obico_g_code_file_id: told?.file.id }) } }
      say('Printing', { printing: true, ready: false }, { event: { event_type: 'PrintStarted' } })
    },
    finish() {
      say('Operational', {}, { event: { event_type: 'PrintDone' } })
      printTs = -1
      job = {}
      say('Operational')
    },
    close: () => agent.ws.terminate(),
  }
  one.idle()
  await eventually(async () => {
    const { json } = await call(app, 'GET', `/api/v1/printers/${id}/`, credential(owner))
    return json.status?.state?.text === 'Operational' && json.agent_version !== null ? true : undefined
  })
  return one
}

/** A new printer, with its agent. */
export async function aHandPrinter(app: TestApp, owner: TestUser, name = 'Ender'): Promise<HandAgent> {
  return await handAgent(app, await aPrinter(app, owner, name), { owner })
}
