import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createInterface } from 'node:readline'
import { fieldsOf } from '@vigil/contract/fields.ts'

/** How a model answers one call. */
export type Said =
  | { readonly text: string; readonly finish?: 'stop' | 'length' }
  | { readonly tool: string }
  | { readonly refusal: string }
  | { readonly raw: string; readonly status?: number }
  | { readonly fault: 'slow' | 'cut' | 'endless' }

/** A model behind a URL, in a process of its own: it says what it is told to, or obeys every order that it reads. */
export interface ModelServer {
  readonly url: string
  /** From now on, one answer each; `naive`: it obeys. */
  say(answers: readonly Said[] | 'naive'): Promise<void>
  /** The bodies that it was sent since. */
  asked(): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

export async function openModelServer(): Promise<ModelServer> {
  const child = spawn(process.execPath, [import.meta.filename], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const url = `http://127.0.0.1:${String(line)}`
  const control = async (method: string, body?: unknown) =>
    await fetch(`${url}/control`, {
      method,
      // none is left open that a question could take
      headers: { connection: 'close' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  return {
    url: `${url}/v1`,
    say: async (answers) => void (await control('PUT', answers)),
    asked: async () => (await (await control('GET')).json()) as Record<string, unknown>[],
    async close() {
      child.kill()
      await once(child, 'exit')
    },
  }
}

const message = (said: Extract<Said, { text: string } | { tool: string } | { refusal: string }>) => ({
  id: 'a',
  object: 'chat.completion',
  model: 'm',
  choices: [
    {
      index: 0,
      finish_reason: 'finish' in said ? (said.finish ?? 'stop') : 'stop',
      message: {
        role: 'assistant',
        content: 'text' in said ? said.text : null,
        refusal: 'refusal' in said ? said.refusal : null,
        ...('tool' in said
          ? { tool_calls: [{ id: 'c', type: 'function', function: { name: said.tool, arguments: '{}' } }] }
          : {}),
      },
    },
  ],
})

/** Does whatever any text that it is shown tells it to: `set … to …`, `call …`, `say "…"`. */
function obey(body: Record<string, unknown>): Said {
  const all = JSON.stringify(body['messages']).replaceAll('\\"', '"')
  const orders = [...all.matchAll(/set (\w+) to ([\w.%]+)/g)].map(([, parameter, value]) => ({
    parameter,
    value,
    explanation: 'As I was told.',
  }))
  const call = /call (\w+)/.exec(all)?.[1]
  const words = /say "([^"]{1,200})"/.exec(all)?.[1]
  if (body['tools'] !== undefined) return { tool: call ?? 'determine_slicing_settings' }
  const shape = fieldsOf(fieldsOf(body['response_format'])['json_schema'])['name']
  const selected = /"preset":"(preset_\d+)","is_selected":true/.exec(all)?.[1] ?? ''
  if (shape === 'preset')
    return {
      text: JSON.stringify({ preset: words === undefined ? selected : '', clarification: words ?? '' }),
    }
  if (shape !== 'overrides') return { text: words ?? 'Fine.' }
  const own = { parameter: 'sparse_infill_density', value: '30%', explanation: 'Strong.' }
  return { text: JSON.stringify({ overrides: [own, ...orders] }) }
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(Buffer.from(part))
  const text = Buffer.concat(parts).toString()
  return text === '' ? undefined : JSON.parse(text)
}

function answer(said: Said, response: ServerResponse): void {
  const json = { 'content-type': 'application/json' }
  if ('raw' in said) return void response.writeHead(said.status ?? 200, json).end(said.raw)
  if (!('fault' in said)) return void response.writeHead(200, json).end(JSON.stringify(message(said)))
  if (said.fault === 'slow') return
  response.writeHead(200, json)
  response.write('{"choices": [')
  if (said.fault === 'cut') return void response.destroy()
  const more = () => {
    while (!response.destroyed && response.write(' '.repeat(65_536)));
    if (!response.destroyed) response.once('drain', more)
  }
  more()
}

/** The process itself. */
async function serve(): Promise<void> {
  let answers: Said[] | 'naive' = []
  let asked: unknown[] = []
  const server = createServer((request, response) => {
    void (async () => {
      const body = await bodyOf(request)
      if (request.url === '/control') {
        if (request.method === 'PUT') [answers, asked] = [body as Said[] | 'naive', []]
        return void response.end(JSON.stringify(asked))
      }
      // who is asked anew after a pause may have closed what was kept open
      if (request.headers.connection !== 'close') return void response.writeHead(500).end('kept open')
      asked.push(body)
      answer(
        answers === 'naive'
          ? obey(fieldsOf(body))
          : (answers.shift() ?? { raw: 'nothing left', status: 500 }),
        response,
      )
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`)
}

if (process.argv[1] === import.meta.filename) await serve()
