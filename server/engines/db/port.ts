import type { Kysely } from 'kysely'
import type { DB } from './types.gen.ts'

/** A database handle or a transaction on it; column names are camelCase inside. */
export type Db = Kysely<DB>
