import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'vigil-layers-'))
/** What oxlint says, by file. */
const said = new Map<string, string>()

/** File, import, and what it is refused with; null where it is fine. */
const PLANTED: readonly (readonly [file: string, source: string, refusal: RegExp | null])[] = [
  ['contract/a.ts', './b.ts', null],
  ['contract/b.ts', 'zodiac', /imports zod/],
  ['contract/c.ts', '../server/ctx.ts', /The contract may import/],
  ['server/lib/a.ts', '../config.ts', /server\/lib may import/],
  ['server/engines/live/a.ts', '../../modules/prints/prints/index.ts', /server\/engines may import/],
  ['server/engines/live/b.ts', 'ioredis', null],
  ['server/http/a.ts', '../modules/prints/prints/index.ts', /server\/http may import/],
  ['server/http/b.ts', 'pg', /Vendors live in engines/],
  ['server/modules/printers/linking/a.service.ts', '../../watch/alarms/rounds.ts', /through its index/],
  ['server/modules/printers/linking/b.service.ts', '../printers/list.service.ts', /through its index/],
  ['server/modules/printers/linking/c.service.ts', '../printers/index.ts', null],
  ['server/modules/printers/linking/d.service.ts', '../reports/index.ts', /linking stands below .*reports/],
  ['server/modules/printers/linking/e.service.ts', '../../../cli/up.ts', /server\/modules may import/],
  ['server/modules/printers/linking/f.service.ts', 'kysely', /SQL is written in/],
  ['server/modules/printers/linking/g.service.ts', '../../../engines/live/port.ts', null],
  ['server/modules/printers/linking/h.service.ts', '../../watch/alerts/pause.service.ts', /its wing alone/],
  ['server/modules/printers/nowhere/a.service.ts', '../printers/index.ts', /nowhere is missing in/],
  ['server/modules/printers/a.service.ts', './printers/index.ts', /a room of a wing/],
  ['server/modules/prints/prints/b.rules.ts', '../../watch/detection/index.ts', null],
  ['server/modules/prints/lifecycle/c.rules.ts', './prints.queries.ts', /Rules are pure/],
  ['server/modules/prints/prints/c.rules.ts', '../lifecycle/prints.queries.ts', /Rules are pure/],
  ['server/modules/prints/prints/d.rules.ts', '../../../engines/db/port.ts', /Rules are pure/],
  ['server/modules/prints/prints/e.rules.ts', '../history/days.rules.ts', null],
  ['server/modules/prints/prints/a.queries.ts', '../../../http/errors.ts', /Queries import/],
  ['server/modules/prints/prints/b.queries.ts', './prints.service.ts', /Queries import/],
  ['server/modules/prints/prints/c.queries.ts', 'kysely', null],
  ['server/modules/watch/alerts/a.service.ts', '../looking/look.service.ts', /alerts stands below .*looking/],
  ['server/modules/watch/alerts/b.service.ts', '../deciding/prediction.service.ts', null],
  ['server/modules/watch/alerts/c.service.ts', './pause.service.ts', null],
  ['server/modules/watch/alerts/d.service.ts', '../detection/index.ts', /alerts stands below .*detection/],
  ['server/modules/watch/alerts/e.service.ts', '../../core/events/index.ts', null],
  [
    'server/modules/watch/alerts/f.service.ts',
    '../../prints/prints/index.ts',
    /alerts stands below .*prints/,
  ],
  ['server/modules/watch/attic/a.service.ts', '../watching/watch.service.ts', /attic is missing in/],
  ['server/modules/watch/detection/a.service.ts', '../snapshots/predict.service.ts', null],
  [
    'web/src/features/printers/printers/a.ts',
    '../camera/CameraPanel.tsx',
    /room is reached through its index/,
  ],
  ['web/src/features/printers/printers/list/a.ts', '../../camera/index.ts', null],
  ['web/src/features/printers/camera/a.ts', '../printers/index.ts', /camera stands below .*printers/],
  ['web/src/features/printers/nowhere/a.ts', '../camera/index.ts', /nowhere is missing in web/],
  ['web/src/features/printers/camera/b.ts', '../../../printer/state.ts', null],
  ['web/src/printer/a.ts', '../features/printers/camera/index.ts', /web\/src\/printer may import/],
  ['web/src/printer/b.ts', '../app/theme.ts', /web\/src\/printer may import/],
  ['web/src/printer/c.ts', '../ui/Panel.tsx', null],
  ['web/src/ui/b.ts', '../printer/state.ts', /web\/src\/ui may import/],
  ['web/src/lib/b.ts', '../printer/state.ts', /web\/src\/lib may import/],
  ['web/src/features/printers/printers/b.ts', '../../../app/theme.ts', /web\/src\/features may import/],
  ['web/src/features/printers/printers/c.ts', '../../../lib/paths.ts', null],
  ['web/src/ui/a.ts', '../features/printers/printers/state.ts', /web\/src\/ui may import/],
  ['web/src/lib/a.ts', '../app/client.ts', /web\/src\/lib may import/],
]

/** A room's types are its own, too. */
const UPWARD = ['server/modules/watch/watching/t.rules.ts', '../alerts/alert.rules.ts'] as const

/** Types alone may come from anywhere below: nothing of them runs. */
const TYPES: readonly (readonly [string, string])[] = [
  ['server/modules/prints/prints/t.rules.ts', '../../../engines/db/port.ts'],
  ['server/modules/prints/prints/t.queries.ts', '../../../http/principal.ts'],
]

/** Two files that need each other, if only for a type. */
const CIRCLE = ['web/src/lib/x.ts', 'web/src/lib/y.ts'] as const
const circles = new Set<string>()

function plant(file: string, code: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), `${code}\n`)
}

/** Expressions that meet a text of any length, and such as meet one that was cut. */
const HELD_UP = [
  ['server/http/l.ts', "export const l = (text: string) => text.replace(/a.*b/, '')"],
  ['server/http/m.ts', 'export const m = (text: string) => /a.*b/.test(text)'],
  ['contract/n.ts', 'const N = /a.*b/\nexport const n = (text: string) => N.test(text.slice(0, 9))'],
  ['contract/o.ts', 'export const o = (text: string) => new RegExp(`^${text}`)'],
] as const
const HARMLESS = [
  ['server/http/p.ts', "export const p = (text: string) => text.slice(0, 99).trim().replace(/a.*b/, '')"],
  ['server/http/q.ts', 'export const q = (text?: string) => /a.*b/.test(text.slice(0, 99))'],
  ['server/http/r.ts', "export const r = (text?: string) => text?.slice(0, 99).replaceAll(/a.*b/g, '')"],
] as const
const unbounded = new Set<string>()

/** Ways to what belongs to an owner that ask for no proof, and what is said of them; null of those that do ask. */
const UNPROVEN: readonly (readonly [file: string, code: string, refusal: RegExp | null])[] = [
  [
    'prints/oa.queries.ts',
    'export const a = (db: Db, printId: number) => [db, printId]',
    /printId is a plain/,
  ],
  [
    'prints/ob.queries.ts',
    'export async function b(db: Db, { id }: { id: number }) { return [db, id] }',
    /id is a plain/,
  ],
  [
    'prints/oc.queries.ts',
    'export const c = (db: Db, ids: readonly number[]) => [db, ids]',
    /ids is a plain/,
  ],
  [
    'prints/od.queries.ts',
    'export const d = (db: Db, ids: ReadonlySet<number>) => [db, ids]',
    /ids is a plain/,
  ],
  [
    'prints/oe.service.ts',
    'export const e = (ctx: Ctx, printerId: string | null) => [ctx, printerId]',
    /printerId is a plain/,
  ],
  [
    'prints/of.service.ts',
    'export const f = (ctx: Ctx, fileId = 1, x: { a: { userId?: number } }) => [ctx, fileId, x]',
    /userId is a plain/,
  ],
  ['prints/og.service.ts', "export const g = (tx: Db) => tx.selectFrom('prints')", /SQL is written in/],
  ['prints/oh.routes.ts', "export const h = (tx: Db) => tx.deleteFrom('prints')", /SQL is written in/],
  [
    'prints/oi.service.ts',
    'export const i = (row: Row) => byServer(row.printerId)',
    /byServer acts for somebody/,
  ],
  ['prints/oj.routes.ts', 'export const j = { printer: byServer }', /byServer acts for somebody/],
  ['prints/ok.rules.ts', "import { idOf } from '../../lib/id.ts'\nexport const k = idOf", /idOf believes/],
  [
    'prints/ol.service.ts',
    "export const l = (principal: UserPrincipal, id: number) => [principal, sought<'prints'>(id)]",
    /sought looks for/,
  ],
  [
    'prints/om.queries.ts',
    "const m = (db: Db, id: number) => [db, sought<'prints'>(id)]\nexport const x = m",
    /sought looks for/,
  ],
  ['prints/on.service.ts', 'export const n = (given: unknown) => given as PrintId', /assertion is no proof/],
  [
    'prints/oo.routes.ts',
    "export const o = (given: unknown) => given as { id: Id<'prints'> }",
    /assertion is no proof/,
  ],
  [
    'prints/op.rules.ts',
    "export const p = (given: unknown) => given as Authorized<'edit'>",
    /assertion is no proof/,
  ],
  [
    'prints/pa.queries.ts',
    'const a = (db: Db, printId: number) => [db, printId]\nexport { a as b }',
    /printId is a plain/,
  ],
  [
    'prints/pb.queries.ts',
    'export const b = function (db: Db, printId: number) { return [db, printId] }',
    /printId is a plain/,
  ],
  [
    'prints/pc.service.ts',
    'export class C { look(db: Db, printId: number) { return [db, printId] } }',
    /printId is a plain/,
  ],
  [
    'prints/pd.queries.ts',
    'export const d = statement((db: Db, ids: readonly number[]) => [db, ids])',
    /ids is a plain/,
  ],
  [
    'prints/pe.queries.ts',
    'export const e = { find: (db: Db, printId: number) => [db, printId] }',
    /printId is a plain/,
  ],
  [
    'prints/pf.queries.ts',
    'interface Which { id: number }\ntype Those = readonly Which[]\nexport const f = (db: Db, all: Those) => [db, all]',
    /id is a plain/,
  ],
  [
    'prints/pg.queries.ts',
    "import { sql } from 'kysely'\nexport const g = (db: Db, which: number) => sql`delete from prints where id = ${which}`.execute(db)",
    /meets the id of a row/,
  ],
  [
    'prints/ph.queries.ts',
    "import { sql } from 'kysely'\nexport const h = (db: Db, { which }: { which: number[] }) => sql`select 1 from frames where print_id = any(${which})`.execute(db)",
    /meets the id of a row/,
  ],
  [
    'prints/pi.service.ts',
    "import { sql } from 'kysely'\nexport const i = (ctx: Ctx) => sql`select 1 from prints`.execute(ctx.db)",
    /SQL is written in/,
  ],
  ['prints/pj.rules.ts', 'export const j = (given: unknown) => <PrintId>given', /assertion is no proof/],
  [
    'prints/pk.rules.ts',
    "export const k = (given: unknown): given is PrintId => typeof given === 'number'",
    /assertion is no proof/,
  ],
  ['prints/pl.routes.ts', 'export const l = z.custom<PrintId>()', /assertion is no proof/],
  ['prints/pm.service.ts', "export const m = (tx: Db) => tx.mergeInto('prints')", /SQL is written in/],
  [
    'prints/pn.queries.ts',
    "import { sql } from 'kysely'\nexport const n = (db: Db, id: PrintId, limit: number) => sql`select 1 from prints where id = ${id} limit ${limit}`.execute(db)",
    null,
  ],
  ['prints/oq.queries.ts', 'export const q = (db: Db, printId: PrintId) => [db, printId]', null],
  [
    'prints/or.queries.ts',
    "export const r = (db: Db, userId: UserId, id: number) => [db, userId, sought<'prints'>(id)]",
    null,
  ],
  [
    'prints/os.service.ts',
    "export const s = (ctx: Ctx, { id }: Authorized<'edit'>, name: string) => [ctx, id, name]",
    null,
  ],
  ['files/queue-start/send.service.ts', 'export const t = (row: Row) => byServer(row.printerId)', null],
]
/** Of each file all that is said of its ways. */
const unproven = new Map<string, string>()

beforeAll(() => {
  const places = ['server/modules', 'web/src/features']
  for (const one of ['.oxlintrc.json', 'scripts/lint', ...places.map((place) => `${place}/README.md`)])
    cpSync(join(root, one), join(folder, one), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const [file, source] of PLANTED) plant(file, `import { x } from '${source}'\nconsole.log(x)`)
  for (const [file, source] of [...TYPES, UPWARD])
    plant(file, `import type { X } from '${source}'\nexport type Y = X`)
  plant(CIRCLE[0], "import { y } from './y.ts'\nexport type X = { y: typeof y }")
  plant(CIRCLE[1], "import type { X } from './x.ts'\nexport const y: X | null = null")
  for (const [file, source] of [...HELD_UP, ...HARMLESS]) plant(file, source)
  for (const [file, code] of UNPROVEN) plant(`server/modules/${file}`, code)
  const bin = join(root, 'node_modules/.bin/oxlint')
  const { stdout } = spawnSync(bin, ['-f', 'json'], { cwd: folder, encoding: 'utf8' })
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { code: string; message: string; filename: string }[]
  }
  for (const { code, message, filename } of diagnostics) {
    if (code === 'house(layers)') said.set(filename, message)
    if (code === 'house(bounded)') unbounded.add(filename)
    if (code === 'house(owned)') unproven.set(filename, `${unproven.get(filename) ?? ''} ${message}`)
    if (code === 'import(no-cycle)') circles.add(filename)
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

test.each(PLANTED)('%s importing %s: %s', (file, _, refusal) => {
  if (refusal === null) expect(said.get(file)).toBeUndefined()
  else expect(said.get(file)).toMatch(refusal)
})

test.each(TYPES)('%s may import types of %s', (file) => {
  expect(said.get(file)).toBeUndefined()
})

test('a room imports no types of one below it', () => {
  expect(said.get(UPWARD[0])).toMatch(/watching stands below .*alerts/)
})

test('files that need each other are refused, if only for a type', () => {
  expect([...circles].toSorted()).toEqual([...CIRCLE])
})

test('an expression that may go on for long meets no text that was not cut', () => {
  expect([...unbounded].toSorted()).toEqual(HELD_UP.map(([file]) => file).toSorted())
})

test.each(UNPROVEN)('%s, %s: %s', (file, _, refusal) => {
  const found = unproven.get(`server/modules/${file}`)
  if (refusal === null) expect(found).toBeUndefined()
  else expect(found).toMatch(refusal)
})
