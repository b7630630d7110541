import { createHash } from 'node:crypto'
import type { CompiledQuery } from 'kysely'
import pg from 'pg'
import type { Db } from './port.ts'

/** Texts of statements that connections plan once, and the names they have there. */
const names = new Map<string, string>()

/**
 * Makes a statement that runs all the time: it is built once, and planned once on each connection, which is most of
 * what a small one costs. `build` uses each of its arguments as one parameter, in their order and in no other way:
 * lists go in as an array (`= any(…)`), so that the text stays the same. Columns are named one by one: a newer
 * node may add some while this one runs.
 */
export function statement<A extends readonly unknown[], R>(
  build: (db: Db, ...args: A) => { compile(db: Db): CompiledQuery<R> },
): (db: Db, ...args: A) => Promise<R[]> {
  let compiled: CompiledQuery<R> | undefined
  return async (db, ...args) => {
    compiled ??= keep(build(db, ...args).compile(db), args)
    return (await db.executeQuery<R>({ ...compiled, parameters: args })).rows
  }
}

function keep<R>(compiled: CompiledQuery<R>, args: readonly unknown[]): CompiledQuery<R> {
  const { sql, parameters } = compiled
  const isFaithful = parameters.length === args.length && parameters.every((value, at) => value === args[at])
  if (!isFaithful || /[.,] ?\*|select \*/.test(sql)) throw new Error(`This cannot be planned once: ${sql}`)
  names.set(sql, `vigil_${createHash('sha256').update(sql).digest('hex').slice(0, 16)}`)
  return compiled
}

/** A connection that knows those statements by name. */
export class PlanningClient extends pg.Client {
  // oxlint-disable-next-line typescript/no-explicit-any
  override query(...args: any[]): any {
    const [text, values, ...rest] = args
    const name = typeof text === 'string' ? names.get(text) : undefined
    const given = name === undefined ? args : [{ name, text, values }, ...rest]
    return super.query(...(given as Parameters<pg.Client['query']>))
  }
}
