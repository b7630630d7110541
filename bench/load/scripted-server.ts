/** The server on an empty PostgreSQL of its own, with a detector that scores as it is told. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { readConfig } from '../../server/config.ts'
import { openEmbedded } from '../../server/engines/db/embedded.ts'
import type { Detector, Inspection } from '../../server/engines/inference/port.ts'
import { type Server, startServer } from '../../server/main.ts'
import { createUser } from '../../server/modules/people/accounts/index.ts'
import { addPrinter } from '../../server/modules/printers/printers/index.ts'
import { answerBenchmark } from '../lib/load.ts'
import type { BenchPrinter } from '../lib/server.ts'
import { asId } from '../../server/test/ids.ts'

export interface ScriptedServerLoad extends Record<string, (input: never) => unknown> {
  start(): Promise<{ readonly url: string; readonly pid: number }>
  /** An account with printers, and its password. */
  addOwner(options: { email: string; printers: number }): Promise<{
    readonly password: string
    readonly printers: readonly BenchPrinter[]
  }>
  /** Whatever is seen of these printers from now on makes them pause. */
  fail(printerIds: readonly number[]): Promise<void>
  /** How many of them print, are written down as paused, and have an audit row of that. */
  count(printerIds: readonly number[]): Promise<Counted>
  stop(): Promise<void>
}

export interface Counted {
  readonly printing: number
  readonly paused: number
  readonly audited: number
}

const failing = new Set<string>()
const SIZE = { width: 640, height: 480 }

/** Not the steady logic but the known one, whose state is a few numbers: pictures are not looked at. */
const detector: Detector = {
  model: 'scripted',
  kind: 'obico',
  detect: () => Promise.resolve(inspectionOf(0)),
  submit: (key) =>
    Promise.resolve({ kind: 'inspected', inspection: inspectionOf(failing.has(key) ? 0.9 : 0) }),
  detectLayer: () => Promise.reject(new Error('not in this benchmark')),
  health: () => ({ state: 'ready', queued: 0 }),
  close: () => Promise.resolve(),
}

function inspectionOf(score: number): Inspection {
  return {
    ...SIZE,
    score,
    boxes: score === 0 ? [] : [{ x: 300, y: 200, w: 60, h: 50, score }],
    heat: null,
    model: 'scripted',
    modelKey: 'scripted',
    quality: {
      condition: null,
      hash: randomBytes(8).toString('hex'),
      thumbnail: new Uint8Array(randomBytes(64 * 48)),
    },
  }
}

const log = { info: () => undefined, warn: console.error, error: console.error }
const ending = new AbortController()
let server: Server
let closing: () => Promise<void>

answerBenchmark({
  async start() {
    const dataFolder = await mkdtemp(join(tmpdir(), 'vigil-bench-'))
    const database = await openEmbedded({ dataFolder, log })
    // However this process ends, PostgreSQL does too.
    process.on('exit', () => {
      const file = join(dataFolder, 'pg/postmaster.pid')
      if (existsSync(file)) process.kill(Number.parseInt(readFileSync(file, 'utf8'), 10), 'SIGINT')
    })
    const config = readConfig({
      NODE_ENV: 'production',
      LOG_LEVEL: 'error',
      VIGIL_DATA: dataFolder,
      PIC_POST_LIMIT_PER_MINUTE: '0',
      VIGIL_SECRET: randomBytes(32).toString('hex'),
    })
    server = await startServer({ config, databaseUrl: database.url, signal: ending.signal, detector })
    closing = async () => {
      ending.abort()
      await server.close()
      await database.stop()
      await rm(dataFolder, { recursive: true, force: true })
    }
    const { port } = await server.listen(0, '127.0.0.1')
    return { url: `http://127.0.0.1:${port}`, pid: process.pid }
  },
  async addOwner({ email, printers: count }) {
    const password = randomBytes(16).toString('hex')
    await createUser(server.ctx, { email, password, isAdmin: false })
    const printers: BenchPrinter[] = []
    for (let i = 0; i < count; i++)
      printers.push(await addPrinter(server.ctx, { ownerEmail: email, name: `P${i}` }))
    return { password, printers }
  },
  async fail(printerIds) {
    for (const id of printerIds) failing.add(String(id))
    await server.ctx.db
      .updateTable('printerPredictions')
      .set({
        currentFrameNum: 100,
        lifetimeFrameNum: 100,
        ewmMean: 5,
        rollingMeanShort: 1,
        rollingMeanLong: 0,
      })
      .where('printerId', 'in', asId([...printerIds]))
      .execute()
  },
  async count(printerIds) {
    const { rows } = await sql<Counted>`
      select count(current_print_id)::int as printing, count(prints.paused_at)::int as paused,
        (select count(*) from audit join printers p on p.current_print_id = audit.print_id
         where p.id = any(${[...printerIds]}) and action = 'command.pause' and outcome = 'sent')::int as audited
      from printers left join prints on prints.id = current_print_id
      where printers.id = any(${[...printerIds]})`.execute(server.ctx.db)
    return rows[0] as Counted
  },
  stop: () => closing().then(() => process.exit(0)),
} satisfies ScriptedServerLoad)
