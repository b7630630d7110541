import { Socket } from 'node:net'
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import type { Db } from './port.ts'
import { PlanningClient } from './statement.ts'
import type { DB } from './types.gen.ts'

const INT8 = 20
const STATEMENT_TIMEOUT_MS = 30_000

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
    idleTimeoutMillis: limitMs || STATEMENT_TIMEOUT_MS,
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
    close() {
      isClosing = true
      return db.destroy()
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

const DOWN_CODES = new Set([
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '53300',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
])
const DOWN_MESSAGES =
  /^Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/

/** True when the database cannot be reached now, but may be later: answered 503. */
export function isDatabaseDown(error: unknown): boolean {
  return someCause(error, ({ code, message, syscall }) => {
    if (code === undefined) return DOWN_MESSAGES.test(message)
    if (code === 'ENOENT' || code === 'ETIMEDOUT' || code === 'EACCES') return syscall === 'connect'
    return DOWN_CODES.has(code) || code.startsWith('08')
  })
}

/** True when there was no room to write, in the database or in a file: answered 507. */
export function isDiskFull(error: unknown): boolean {
  return someCause(
    error,
    ({ code, message }) =>
      code === '53100' ||
      code === 'ENOSPC' ||
      code === 'EDQUOT' ||
      (code === '58030' && /No space left/.test(message)),
  )
}

interface Failure {
  code?: string
  message: string
  syscall?: string
}

function someCause(error: unknown, matches: (failure: Failure) => boolean): boolean {
  for (let depth = 0, cause = error; cause instanceof Error && depth < 5; depth++, cause = cause.cause) {
    if (matches(cause)) return true
    if (cause instanceof AggregateError) return cause.errors.some((one) => someCause(one, matches))
  }
  return false
}
