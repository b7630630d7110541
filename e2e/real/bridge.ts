import { connectAgent, type WireAgent } from '../../server/test/wire/agent.ts'
import { everySecond, type Machine, type Seen } from './machines.ts'

interface Wanted {
  readonly id: number
  readonly url: string
  readonly safe_filename: string
}
interface Call {
  readonly ref: string
  readonly target: string
  readonly func: string
  readonly args: readonly [Wanted?]
}

/**
 * Stands in for an agent beside a real printer: stores what comes from the cloud there, starts it, and tells what the printer says of
 * itself (docs/wire/agents.md 5 and 7.2). Stops with the returned function.
 */
export async function bridge(server: string, token: string, machine: Machine): Promise<() => Promise<void>> {
  const agent = await connectAgent({ wsUrl: server.replace('http', 'ws') }, token)
  const told = new Teller(agent, machine)
  const failures: unknown[] = []
  const post = async (method: string, path: string, fields: Record<string, string>) => {
    const form = new FormData()
    for (const [key, value] of Object.entries(fields)) form.set(key, value)
    const headers = { authorization: `Token ${token}` }
    const answer = await fetch(`${server}/api/v1/octo/g_code_files/${path}`, { method, headers, body: form })
    if (!answer.ok) throw new Error(`${method} of a file's record answers ${answer.status}`)
  }
  /** As both agents do it: stores, tells what the file is called there, starts, and tells how large it is there. */
  const print = async ({ id, url, safe_filename: name }: Wanted) => {
    const content = await fetch(url)
    if (!content.ok) throw new Error(`the content answers ${content.status}`)
    const stored = await machine.store(name, Buffer.from(await content.arrayBuffer()))
    await post('PATCH', `${id}/`, { safe_filename: name, agent_signature: stored.signature })
    told.fileId = id
    await machine.start(name)
    await post('POST', '', {
      filename: name,
      safe_filename: name,
      num_bytes: String(stored.numBytes),
      agent_signature: stored.signature,
      url: name,
    })
  }
  agent.ws.on('message', (data: Buffer, isBinary) => {
    const call = isBinary ? undefined : (JSON.parse(String(data)) as { passthru?: Call }).passthru
    const [file] = call?.args ?? []
    if (call?.func !== 'download' || file === undefined) return
    agent.send({ passthru: { ref: call.ref, ret: { target_path: file.safe_filename } } })
    void print(file).catch((error: unknown) => failures.push(error))
  })
  agent.send({ settings: machine.settings })
  await told.look()
  const stop = everySecond(() => told.look())
  return async () => {
    await stop()
    agent.close()
    if (failures.length > 0) throw new AggregateError(failures, 'the bridge broke')
  }
}

/** Tells what a printer says of itself, with the events that agents make of its changes. */
class Teller {
  fileId: number | null = null
  readonly #agent: WireAgent
  readonly #machine: Machine
  #printTs = -1

  constructor(agent: WireAgent, machine: Machine) {
    this.#agent = agent
    this.#machine = machine
  }

  async look(): Promise<void> {
    const seen = await this.#machine.look()
    const before = this.#printTs
    if (seen.isPrinting && before === -1) {
      this.#printTs = Math.trunc(Date.now() / 1000)
      this.#say(seen, this.#printTs, 'PrintStarted')
    } else if (!seen.isPrinting && before !== -1) {
      this.#printTs = -1
      this.#say(seen, before, seen.isDone ? 'PrintDone' : 'PrintFailed')
    }
    this.#say(seen, this.#printTs)
  }

  #say({ name, text, completion, printTime }: Seen, ts: number, event?: string): void {
    const isPrinting = ts !== -1
    const status = {
      _ts: Date.now() / 1000,
      state: {
        text,
        flags: { operational: true, printing: isPrinting, ready: !isPrinting, paused: false, error: false },
        error: null,
      },
      job: { file: { name, path: name, display: name, obico_g_code_file_id: this.fileId } },
      progress: { completion, filepos: null, printTime, printTimeLeft: null },
      temperatures: {},
    }
    this.#agent.send({
      current_print_ts: ts,
      status,
      ...(event ? { event: { event_type: event, data: {} } } : {}),
    })
  }
}
