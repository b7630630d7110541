import { existsSync, statSync } from 'node:fs'
import { checkPath } from '../../engines/files/paths.ts'
import type { MediaRef } from '../../engines/files/port.ts'
import type { ForeignRow } from '../../engines/db/foreign.ts'
import { placeIn } from './obico.rules.ts'

/** A row as it is written here: columns by their names in the database. */
export type Values = Readonly<Record<string, unknown>>

/** A file that comes over: where it lies there, and where it will here. */
export interface FileToBring {
  readonly from: string
  readonly ref: MediaRef
  readonly bytes: number
}

/** What is left of a row: a reason, told with how often. */
export class Left {
  readonly why: string
  constructor(why: string) {
    this.why = why
  }
}

/** How the rows of one table there become rows of one here. */
export interface Mapping {
  readonly from: string
  readonly to: string
  row(row: ForeignRow, world: World): Values | Left
}

/** What mappings know of each other, and what they find. */
export class World {
  readonly files: FileToBring[] = []
  /** Files that rows name and that are not in the folder of media. */
  missing = 0
  /** Who owns a printer, by its number. */
  readonly owners = new Map<number, number>()
  /** Printers that came over and are in use. */
  readonly printers = new Set<number>()
  /** Addresses that were confirmed, as `user address`. */
  readonly confirmed = new Set<string>()
  /** Addresses that somebody has, as `brand address`. */
  readonly addresses = new Set<string>()
  readonly brands = new Map<number, string>()
  readonly brandOf = new Map<number, string>()
  readonly primary = new Map<number, string>()
  readonly applications = new Map<number, string>()
  /** Accounts that have no password here. */
  withoutPassword = 0
  /** What films of a print weigh. */
  readonly filmBytes = new Map<number, number>()
  readonly now: string
  /** SHA-256 of the G-code that was brought, by its path; empty on trial. */
  readonly hashes: ReadonlyMap<string, string>
  readonly #media: string | null
  readonly #came = new Map<string, Set<number>>()

  constructor(media: string | null, now: number, hashes: ReadonlyMap<string, string>) {
    this.#media = media
    this.now = new Date(now).toISOString()
    this.hashes = hashes
  }

  /** Notes that a row came over, by its number. */
  note(table: string, id: unknown): void {
    if (typeof id !== 'number') return
    const ids = this.#came.get(table) ?? new Set()
    this.#came.set(table, ids.add(id))
  }

  /** Whether a row of this number came over. */
  has = (table: string, id: number | null): boolean => id !== null && this.#came.get(table)?.has(id) === true

  /** The place here of a file there, which will be brought; null when there is none. */
  file(there: MediaRef | null, here: MediaRef | null = there): MediaRef | null {
    if (there === null || here === null || this.#media === null) return null
    try {
      const from = placeIn(this.#media, { ...there, path: checkPath(there.path) })
      if (existsSync(from) && statSync(from).isFile()) {
        this.files.push({ from, ref: { ...here, path: checkPath(here.path) }, bytes: statSync(from).size })
        return here
      }
    } catch {
      // A name that is no path of a stored file: it is not there.
    }
    this.missing += 1
    return null
  }
}
