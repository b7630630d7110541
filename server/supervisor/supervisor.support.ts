import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const FIXTURE = join(import.meta.dirname, 'supervisor.fixture.ts')

/** A keeper with its small server (keeper.fixture.ts), on a folder of its own. */
export interface RunningKeeper {
  readonly process: ChildProcess
  readonly url: string
  /** What keeper and child have logged so far. */
  log(): string
  /** The process that answers. */
  childPid(): Promise<number>
  end(): void
}

interface Limits {
  /** Of the system (`ulimit -n`). */
  readonly openFiles?: number
  /** A child that says nothing for so long hangs; as the product has it unless given. */
  readonly silentMs?: number
}

export async function startKeeper({ openFiles, silentMs }: Limits = {}): Promise<RunningKeeper> {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-keeper-'))
  const limit = openFiles === undefined ? '' : `ulimit -n ${openFiles} && `
  const keeper = spawn('sh', ['-c', `${limit}exec "$0" "$1"`, process.execPath, FIXTURE], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      VIGIL_DATA: folder,
      DATABASE_URL: 'postgres://x/y',
      SILENT_MS: silentMs?.toString(),
    },
  })
  const said: string[] = []
  keeper.stderr.on('data', (data) => said.push(String(data)))
  const first = await createInterface({ input: keeper.stdout })[Symbol.asyncIterator]().next()
  const url = `http://127.0.0.1:${(JSON.parse(first.value as string) as { port: number }).port}`
  return {
    process: keeper,
    url,
    log: () => said.join(''),
    async childPid() {
      // A connection of its own each time: a kept one ends with its server.
      const answer = await fetch(url, { headers: { connection: 'close' } })
      return ((await answer.json()) as { pid: number }).pid
    },
    end() {
      keeper.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** How many files a process has open. */
export const openFilesOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length
