import { Socket } from 'node:net'
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import type { Db } from './port.ts'
import { PlanningClient } from './statement.ts'
import type { DB } from './types.gen.ts'

export { againOnConflict, isConflict, isDatabaseDown, isDiskFull } from './trouble.ts'

const INT8 = 20
const STATEMENT_TIMEOUT_MS = 30_000
/** Each connection is a process of PostgreSQL's with 2 to 3 MB of its own; those used last are used first. */
const IDLE_MS = 10_000

/** int8 as a number (our counts stay below 2^53); everything else as pg has it: timestamptz is a Date. */
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 && format !== 'binary'
      ? Number
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

export interface OpenDbOptions {
  readonly log: Pick<Logger, 'warn'>
  /** Connections at most; 10 unless given. */
  readonly poolSize?: number
  /** 0 switches the limit off (migrations). */
  readonly statementTimeoutMs?: number
}

export interface OpenDb {
  readonly db: Db
  readonly pool: pg.Pool
  close(): Promise<void>
}

/** Opens a pool on a PostgreSQL. Connects when first used; a lost connection is replaced, not fatal. */
export function openDb(url: string, options: OpenDbOptions): OpenDb {
  const limitMs = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS
  const pool = new pg.Pool({
    connectionString: url,
    Client: PlanningClient,
    types,
    max: options.poolSize ?? 10,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: IDLE_MS,
    statement_timeout: limitMs,
    application_name: 'vigil',
    ...(limitMs > 0 ? { stream: () => socketWithLimit(2 * limitMs) } : {}),
  })
  let isClosing = false
  // The error carries its whole client along, so only its words are logged.
  pool.on('error', ({ message }) => {
    if (!isClosing) options.log.warn({ reason: message }, 'a database connection was lost')
  })
  // The pool listens to its idle connections alone: one lost inside a transaction would end the process.
  pool.on('connect', (client) => void client.on('error', () => undefined))
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    plugins: [
      new CamelCasePlugin({ maintainNestedObjectKeys: true, underscoreBetweenUppercaseLetters: true }),
    ],
  })
  return {
    db,
    pool,
    async close() {
      isClosing = true
      await db.destroy()
      // Kysely ends no pool of which it asked nothing.
      if (!pool.ending) await pool.end()
    },
  }
}

/**
 * A database that vanishes without a word, as a machine that lost its power, would hold our queries for a quarter of
 * an hour and more. No statement takes as long as this.
 */
function socketWithLimit(silentMs: number): Socket {
  const socket = new Socket()
  socket.setTimeout(silentMs, () =>
    socket.destroy(new Error('Connection terminated: the database is silent')),
  )
  return socket
}
