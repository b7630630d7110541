import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import type { PrinterId } from '../../lib/id.ts'
import { allStatusesTaken } from '../../modules/printers/reports/index.ts'
import { call, type TestApp, type TestUser } from '../app.ts'
import { connectAgent, type Told, type WireAgent } from './agent.ts'
import { asId } from '../ids.ts'

/** A recorded message, as far as the replay looks into it. */
interface Recorded extends Told {
  readonly status?: { readonly job?: { readonly file?: { obico_g_code_file_id?: number | null } } }
}

/** What our REST API answers, as far as the replay needs it. */
interface Answered {
  readonly id: number
  readonly printer: { readonly id: number; readonly auth_token: string }
}

/** One line of a trimmed capture; the whole ones are described in captures/README.md. */
interface Line {
  readonly t: number
  readonly note?: string
  readonly kind?: 'open' | 'close' | 'http' | 'json' | 'bson' | 'server'
  readonly method?: string
  readonly url?: string
  readonly auth?: string
  readonly type?: string
  readonly status?: number
  readonly reply?: { id: number }
  readonly body?: string
  readonly parts?: { headers: string; value?: string }[]
  readonly msg?: Recorded
  readonly hex?: string
}

/** What came of a replay. */
export interface Replayed {
  readonly printerId: PrinterId
  /** Everything that we told the agent, in order. */
  readonly frames: readonly Told[]
  /** Requests whose status was not the recorded one: `POST /path 201 -> 500`. */
  readonly surprises: string[]
  /** How each command of the session was answered by our REST API. */
  readonly commands: { cmd: string; succeeded: boolean; detail?: string }[]
  readonly agent: WireAgent
}

interface Who {
  readonly owner: TestUser
  /** Null: the capture links the printer itself. */
  readonly printer: { id: number; auth_token: string } | null
}

export const readCapture = (name: string): Line[] =>
  readFileSync(new URL(`captures/${name}.jsonl`, import.meta.url), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line)

/** Plays an agent's recorded session against a server, in order; pictures are substituted. */
export async function replay(app: TestApp, name: string, { owner, printer }: Who): Promise<Replayed> {
  const picture = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#456' } }).jpeg().toBuffer()
  const fileIds = new Map<number, number>()
  const surprises: string[] = []
  const commands: Replayed['commands'] = []
  let token = printer?.auth_token ?? ''
  let printerId = printer?.id ?? 0
  let agent: WireAgent | null = null

  /** Everything said so far has been worked off: a signal of the socket, then the rows. */
  const settle = async () => {
    if (agent === null || agent.closed !== null) return
    await new Promise((resolve) => {
      agent?.ws.once('pong', resolve)
      agent?.ws.ping()
    })
    await allStatusesTaken()
  }

  const request = async (line: Line) => {
    await settle()
    const { method = 'GET', type } = line
    let url = (line.url ?? '').replace('/printers/1/', `/printers/${printerId}/`)
    const named = /g_code_files\/(\d+)\//.exec(url)
    if (named) url = url.replace(named[1] ?? '', String(await cloudFile(Number(named[1]))))
    if (url.includes('octo/verify/')) url = `/api/v1/octo/verify/?code=${await openCode()}`
    const headers: Record<string, string> = line.auth ? { authorization: `Token ${token}` } : {}
    const form = line.parts && multipart(line.parts, picture)
    if (!form && type) headers['content-type'] = type
    const body = form ?? (method === 'GET' || !line.body ? undefined : line.body)
    const answer = await fetch(app.url + url, { method, headers, ...(body === undefined ? {} : { body }) })
    const json = (await answer.json().catch(() => null)) as Answered | null
    const isUpsert = answer.status === 200 && line.status === 201
    if (answer.status !== line.status && !isUpsert) surprises.push(`${method} ${url} ${line.status} -> ${answer.status}`)
    if (line.reply && json && url.includes('g_code_files')) fileIds.set(line.reply.id, json.id)
    if (url.includes('octo/verify/') && json) {
      token = json.printer.auth_token
      printerId = json.printer.id
    }
  }

  const openCode = async () =>
    (await call(app, 'GET', '/api/v1/onetimeverificationcodes/', { cookie: owner.cookie })).json.code as string

  /** The file that the owner had in the cloud before the capture began. */
  const cloudFile = async (recorded: number): Promise<number> => {
    const known = fileIds.get(recorded)
    if (known !== undefined) return known
    const { id } = await app.ctx.db
      .insertInto('gCodeFiles')
      .values({ userId: owner.id, filename: 'ring.gcode', safeFilename: 'ring.gcode' })
      .returning('id')
      .executeTakeFirstOrThrow()
    fileIds.set(recorded, id)
    return id
  }

  const say = (msg: Recorded) => {
    const file = msg.status?.job?.file
    const recorded = file?.obico_g_code_file_id
    if (file && typeof recorded === 'number') file.obico_g_code_file_id = fileIds.get(recorded) ?? recorded
    agent?.send(msg)
  }

  const command = async (cmd: string) => {
    await settle()
    const { json } = await call(app, 'POST', `/api/v1/printers/${printerId}/${cmd}_print/`, { token: owner.token })
    commands.push({ cmd, succeeded: json.succeeded, ...(json.detail ? { detail: json.detail } : {}) })
  }

  for (const line of readCapture(name)) {
    if (line.kind === 'http') await request(line)
    else if (line.kind === 'open') {
      agent = await connectAgent(app, token)
      await agent.hear((message) => 'remote_status' in message)
    } else if (line.kind === 'json') say(structuredClone(line.msg ?? {}))
    else if (line.kind === 'bson') agent?.sendRaw(Buffer.from(line.hex ?? '', 'hex'))
    else if (line.kind === 'server') for (const { cmd } of line.msg?.commands ?? []) await command(cmd)
  }
  await settle()
  if (agent === null) throw new Error(`${name} opens no socket`)
  return { printerId: asId(printerId), frames: agent.heard, surprises, commands, agent }
}

/** Parts as Python's requests writes them: a file part has a name and no content type (docs/wire/agents.md 3.2). */
function multipart(parts: { headers: string; value?: string }[], picture: Buffer): FormData {
  const form = new FormData()
  for (const { headers, value } of parts) {
    const name = / name="([^"]*)"/.exec(headers)?.[1] ?? ''
    const filename = /filename="([^"]*)"/.exec(headers)?.[1]
    if (filename === undefined) form.append(name, value ?? '')
    else form.append(name, new Blob([new Uint8Array(picture)]), filename)
  }
  return form
}
