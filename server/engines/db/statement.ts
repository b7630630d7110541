import { createHash } from 'node:crypto'
import type { CompiledQuery } from 'kysely'
import pg from 'pg'
import type { Db } from './port.ts'
import { codeOf, textOf } from '../../lib/thrown.ts'

/** Texts of statements that connections plan once, and the names they have there. */
const names = new Map<string, string>()

/**
 * Makes a statement that runs all the time: it is built once, and planned once on each connection, which is most of
 * what a small one costs. `build` uses each of its arguments as one parameter, in their order and in no other way:
 * lists go in as an array (`= any(…)`), so that the text stays the same.
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
  if (!isFaithful) throw new Error(`This cannot be planned once: ${sql}`)
  names.set(sql, `vigil_${createHash('sha256').update(sql).digest('hex').slice(0, 16)}`)
  return compiled
}

/** A newer node has added a column while this one runs: what was planned for `select *` no longer fits. */
const isOutdated = (error: unknown) => codeOf(error) === '0A000' && /cached plan/.test(textOf(error))

/** A connection that knows those statements by name. */
export class PlanningClient extends pg.Client {
  /** Part of each name: plans that no longer fit are left behind under their old one. */
  #edition = 0

  // oxlint-disable-next-line typescript/no-explicit-any
  override query(...args: any[]): any {
    const [text, values, callback] = args
    const name = typeof text === 'string' ? names.get(text) : undefined
    const plainly = () => super.query(...(args as Parameters<pg.Client['query']>))
    if (name === undefined || callback !== undefined) return plainly()
    const planned = super.query({ name: `${name}_${this.#edition}`, text, values })
    return planned.catch((error: unknown) => {
      if (!isOutdated(error)) throw error
      this.#edition++
      return plainly()
    })
  }
}
