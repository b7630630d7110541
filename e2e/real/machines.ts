import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { storedByPlugin } from '@vigil/simulator/octoprint.ts'
import { type RealPrinter, USER } from './printers.ts'

/** What a real printer says of itself. */
export interface Seen {
  readonly name: string | null
  readonly text: string
  readonly isPrinting: boolean
  /** The last print came to its end. */
  readonly isDone: boolean
  /** Percent. */
  readonly completion: number | null
  /** Seconds. */
  readonly printTime: number | null
}

/** What lies on a printer, as its agent says it. */
export interface Stored {
  readonly signature: string
  readonly numBytes: number
}

/** A real printer, as its agent works on it. */
export interface Machine {
  readonly settings: object
  /** Stores a file as the agent does. */
  store(name: string, content: Buffer): Promise<Stored>
  start(name: string): Promise<void>
  look(): Promise<Seen>
}

async function ask<T>(url: string, init: RequestInit = {}): Promise<T> {
  const answer = await fetch(url, init)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}: ${text.slice(0, 300)}`)
  return (text === '' ? null : JSON.parse(text)) as T
}

const posted = (value: object, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { ...headers, 'content-type': 'application/json' },
  body: JSON.stringify(value),
})

/** OctoPrint, behind the plug-in: files are rewritten as they are stored. */
export function octoprintMachine({ url }: RealPrinter): Machine {
  const headers = { 'x-api-key': USER.apiKey }
  return {
    settings: { agent: { name: 'octoprint_obico', version: '2.6.1' }, octoprint_version: '1.11.8' },
    async store(name, content) {
      const form = new FormData()
      form.set('file', new Blob([storedByPlugin(content)]), name)
      await ask(`${url}/api/files/local`, { method: 'POST', headers, body: form })
      const { hash } = await ask<{ hash: string }>(`${url}/api/files/local/${encodeURIComponent(name)}`, {
        headers,
      })
      const there = await fetch(`${url}/downloads/files/local/${encodeURIComponent(name)}`, { headers })
      const lies = Buffer.from(await there.arrayBuffer())
      const sha1 = createHash('sha1').update(lies).digest('hex')
      if (sha1 !== hash) throw new Error('OctoPrint hashes its files in another way')
      return { signature: `md5:${hash}`, numBytes: lies.length }
    },
    async start(name) {
      const wanted = posted({ command: 'select', print: true }, headers)
      await ask(`${url}/api/files/local/${encodeURIComponent(name)}`, wanted)
    },
    async look() {
      const { state, job, progress } = await ask<{
        state: string
        job: { file: { name: string | null } }
        progress: { completion: number | null; printTime: number | null }
      }>(`${url}/api/job`, { headers })
      return {
        name: job.file.name,
        text: state,
        isPrinting: /^(?:Starting|Printing|Finishing)/.test(state),
        isDone: progress.completion === 100,
        completion: progress.completion,
        printTime: progress.printTime,
      }
    },
  }
}

interface Objects {
  readonly status: {
    readonly print_stats: { filename: string; state: string; print_duration: number }
    readonly virtual_sdcard: { progress: number }
  }
}

/** Moonraker, behind its agent, which it lets in by a token. */
export async function moonrakerMachine({ url }: RealPrinter): Promise<Machine> {
  const { username, password } = { username: USER.name, password: USER.password }
  const login = await ask<{ result: { token: string } }>(
    `${url}/access/login`,
    posted({ username, password }),
  )
  const headers = { authorization: `Bearer ${login.result.token}` }
  return {
    settings: { agent: { name: 'moonraker_obico', version: '2.1.4' }, webcams: null },
    async store(name, content) {
      const form = new FormData()
      form.set('file', new Blob([new Uint8Array(content)]), name)
      const stored = await ask<{ item: { modified: number; size: number } }>(`${url}/server/files/upload`, {
        method: 'POST',
        headers,
        body: form,
      })
      return { signature: `ts:${stored.item.modified}`, numBytes: stored.item.size }
    },
    async start(name) {
      await ask(`${url}/printer/print/start?filename=${encodeURIComponent(name)}`, {
        method: 'POST',
        headers,
      })
    },
    async look() {
      const query = `${url}/printer/objects/query?print_stats&virtual_sdcard`
      const { print_stats: stats, virtual_sdcard: card } = (
        await ask<{ result: Objects }>(query, { headers })
      ).result.status
      const isPrinting = stats.state === 'printing'
      return {
        name: stats.filename || null,
        text: isPrinting ? 'Printing' : 'Operational',
        isPrinting,
        isDone: stats.state === 'complete',
        completion: card.progress * 100,
        printTime: stats.print_duration,
      }
    },
  }
}

/** As agents report. */
const BEAT_MS = 500

/** Does something again and again, one after the other, until it is stopped. */
export function everySecond(deed: () => Promise<void>): () => Promise<void> {
  let isOver = false
  const running = (async () => {
    while (!isOver) {
      await sleep(BEAT_MS)
      if (!isOver) await deed()
    }
  })()
  return async () => {
    isOver = true
    await running
  }
}
