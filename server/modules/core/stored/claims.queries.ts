import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../engines/db/port.ts'
import type { Container, MediaRef } from '../../../engines/files/port.ts'
import type { UserId } from '../../../lib/id.ts'

/** Numbers that stand in paths. */
const NUMBERS = ['print', 'printer', 'layer', 'user'] as const
type Of = (typeof NUMBERS)[number]

/** Where rows name stored files: the tables, the column whose number stands in the files' paths, the column of the name. */
export interface Named {
  readonly of: Of
  readonly from: string
  readonly key: string
  readonly column: string
  /** Computed, not kept: that there is no such file says nothing. */
  readonly isComputed?: true
}

/** Files of one kind: `pattern` matches their paths; its groups are the numbers of rows that may name them. */
export interface Claim {
  readonly container: Container
  readonly pattern: RegExp
  readonly named: readonly Named[]
}

const columns = (of: Of, from: string, key: string, names: readonly string[]): Named[] =>
  names.map((column) => ({ of, from, key, column }))

/** A printer's events are found by its owner, whose index they have. */
const EVENTS = `(select printers.id as printer, printer_events.image from printers
  join printer_events on printer_events.user_id = printers.user_id and printer_events.printer_id = printers.id) as told`
const EVENT: Named = { of: 'printer', from: EVENTS, key: 'printer', column: 'image' }
const LATEST = `jsonb_build_object('container', 'tsd-pics', 'path', 'snapshots/' || id || '/latest_unrotated.jpg')`
const UPLOADS = '(select user_id, source from timelapses join prints on prints.id = print_id) as uploads'

/** Every kind of stored file that rows name. The test holds it against the columns of the database. */
export const CLAIMS: readonly Claim[] = [
  {
    container: 'tsd-pics',
    pattern: /^(?:raw|tagged)\/(?:(?<printer>\d{1,9})|uploads)\/(?<print>\d{1,9})\//,
    named: [
      ...columns('print', 'frames', 'print_id', ['picture', 'tagged']),
      // an event may show a picture of the print before
      EVENT,
    ],
  },
  {
    container: 'tsd-pics',
    pattern: /^snapshots\/(?<printer>\d{1,9})\//,
    named: [EVENT, { of: 'printer', from: 'printers', key: 'id', column: LATEST, isComputed: true }],
  },
  {
    container: 'tsd-pics',
    pattern: /^ff_printshots\/\d{1,9}\/(?<print>\d{1,9})\//,
    named: columns('print', 'print_shot_feedbacks', 'print_id', ['image']),
  },
  {
    container: 'tsd-pics',
    pattern: /^first_layer\/\d{1,9}\/(?<layer>\d{1,9})\//,
    named: [
      ...columns('layer', 'first_layer_images', 'inspection_id', ['picture']),
      ...columns('layer', 'first_layer_inspections', 'id', ['poster', 'data_json']),
    ],
  },
  {
    container: 'tsd-timelapses',
    pattern: /^first_layer\/\d{1,9}\/(?<layer>\d{1,9})\//,
    named: columns('layer', 'first_layer_inspections', 'id', ['video', 'data_json']),
  },
  {
    container: 'tsd-timelapses',
    pattern: /^private\/(?<print>\d{1,9})[._]/,
    named: [
      ...columns('print', 'prints', 'id', ['video', 'tagged_video', 'poster', 'prediction_json']),
      ...columns('print', 'timelapses', 'print_id', ['scores']),
    ],
  },
  {
    container: 'tsd-timelapses',
    pattern: /^replays\/(?<print>\d{1,9})\./,
    named: columns('print', 'replays', 'print_id', ['looks']),
  },
  {
    container: 'tsd-timelapses',
    pattern: /^uploads\/(?<user>\d{1,9})\//,
    named: columns('user', UPLOADS, 'user_id', ['source']),
  },
  {
    container: 'tsd-timelapses',
    pattern: /^exports\/(?<user>\d{1,9})\//,
    named: columns('user', 'exports', 'user_id', ['content']),
  },
  {
    container: 'tsd-timelapses',
    pattern: /^gcode_thumbnails\/(?<user>\d{1,9})\//,
    named: columns('user', 'g_code_files', 'user_id', ['thumbnails']),
  },
  {
    container: 'tsd-gcodes',
    pattern: /^(?<user>\d{1,9})\//,
    named: columns('user', 'g_code_files', 'user_id', ['content']),
  },
  {
    container: 'tsd-gcodes',
    pattern: /^models\/(?<user>\d{1,9})\//,
    named: columns('user', 'mesh_models', 'user_id', ['content', 'picture']),
  },
  {
    container: 'tsd-gcodes',
    pattern: /^slices\/(?<user>\d{1,9})\//,
    named: columns('user', 'slice_jobs', 'user_id', ['thumbnail']),
  },
]

/**
 * What others look after: uploads that are not finished (`http/resumable.ts`, `modules/files`), copies that are shown in the gallery, and
 * upright pictures of messages, which are made when they are asked for and go when they are old.
 */
export const OTHERS = /^(?:incoming|public)\//
export const MADE_AGAIN = /^snapshots\/\d{1,9}\/[^/]{1,200}_rotated\.jpg$/

interface Row {
  key: number
  /** A list where a row names several. */
  ref: MediaRef | readonly MediaRef[]
}

/** What rows name in one column, of the keys that `those` selects: each file with the key. */
async function refsOf(
  db: Db,
  { from, key, column }: Named,
  those: RawBuilder<unknown>,
): Promise<{ key: number; ref: MediaRef }[]> {
  const name = sql.raw(column)
  const { rows } = await sql<Row>`select ${sql.raw(key)} as key, ${name} as ref from ${sql.raw(from)}
    where ${sql.raw(key)} ${those} and ${name} is not null`.execute(db)
  return rows.flatMap(({ key: id, ref }) => [ref].flat().map((one) => ({ key: id, ref: one })))
}

/** Those of these paths that rows name. */
export async function pathsNamed(db: Db, claim: Claim, paths: readonly string[]): Promise<Set<string>> {
  const numbers = new Map<Of, Set<number>>()
  for (const path of paths) {
    const groups = claim.pattern.exec(path)?.groups
    for (const of of NUMBERS) {
      const number = groups?.[of]
      if (number !== undefined) numbers.set(of, (numbers.get(of) ?? new Set()).add(Number(number)))
    }
  }
  const found = new Set<string>()
  for (const named of claim.named) {
    const ids = [...(numbers.get(named.of) ?? [])]
    if (ids.length === 0) continue
    for (const { ref } of await refsOf(db, named, sql`= any(${ids}::bigint[])`))
      if (ref.container === claim.container) found.add(ref.path)
  }
  return found
}

/** The highest number of a column's rows, 0 when there are none. */
export async function highestKey(db: Db, { from, key }: Named): Promise<number> {
  const highest = sql<number | null>`max(${sql.raw(key)})::double precision`
  const { rows } = await sql<{
    highest: number | null
  }>`select ${highest} as highest from ${sql.raw(from)}`.execute(db)
  return rows[0]?.highest ?? 0
}

/** What rows of the numbers above `from` up to `to` name in one column. */
export async function namedBetween(db: Db, named: Named, from: number, to: number): Promise<MediaRef[]> {
  const rows = await refsOf(db, named, sql`between ${from + 1} and ${to}`)
  return rows.map(({ ref }) => ref)
}

/** Numbers of so many rows are asked for at once: one print may have thousands of pictures. */
const AT_ONCE = 10

/** Queries of the numbers that stand in paths of what is an account's, whatever became of it. */
const NUMBERS_OF: Readonly<Record<Of, (user: UserId) => RawBuilder<{ id: number }>>> = {
  user: (user) => sql`select id from users where id = ${user}`,
  printer: (user) => sql`select id from printers where user_id = ${user} order by id`,
  print: (user) => sql`select id from prints where user_id = ${user} order by id`,
  layer: (user) => sql`select layers.id from first_layer_inspections layers
    join prints on prints.id = layers.print_id where prints.user_id = ${user} order by layers.id`,
}

/** Every stored file that rows of an account name, some twice: several rows may show one picture. */
export async function* filesOf(db: Db, user: UserId): AsyncGenerator<MediaRef & { isComputed: boolean }> {
  for (const of of NUMBERS) {
    const numbers = (await NUMBERS_OF[of](user).execute(db)).rows.map(({ id }) => id)
    const all = CLAIMS.flatMap(({ named }) => named).filter((one) => one.of === of)
    for (const named of new Set(all))
      for (let at = 0; at < numbers.length; at += AT_ONCE) {
        const some = numbers.slice(at, at + AT_ONCE)
        for (const { ref } of await refsOf(db, named, sql`= any(${some}::bigint[])`))
          yield { ...ref, isComputed: named.isComputed === true }
      }
  }
}

/** Folders that hold nothing but an account's files, named by rows or not. */
export async function foldersOf(db: Db, user: UserId): Promise<MediaRef[]> {
  const { rows: printers } = await NUMBERS_OF.printer(user).execute(db)
  const pics = (path: string): MediaRef => ({ container: 'tsd-pics', path })
  const films = (path: string): MediaRef => ({ container: 'tsd-timelapses', path })
  const codes = (path: string): MediaRef => ({ container: 'tsd-gcodes', path })
  return [
    ...printers.flatMap(({ id }) => [
      ...['raw', 'tagged', 'snapshots', 'first_layer'].map((folder) => pics(`${folder}/${id}`)),
      films(`first_layer/${id}`),
    ]),
    pics(`ff_printshots/${user}`),
    ...['uploads', 'gcode_thumbnails', 'exports'].map((folder) => films(`${folder}/${user}`)),
    ...[`${user}`, `models/${user}`, `slices/${user}`].map(codes),
  ]
}
