import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/**
 * Who may import whom (docs/architecture.md, "The house"). Pure but for the order of the rooms, which is read from the
 * `README.md` of the modules and of the features.
 */
export interface Import {
  /** The importing file, from the root of the repository, with slashes. */
  readonly file: string
  /** What stands in the quotes. */
  readonly source: string
  /** Only types come over: nothing of it runs. */
  readonly isType: boolean
}

/** Packages with a vendor behind them: an engine each, nobody else. */
const VENDORS =
  /^(pg|pg-boss|ioredis|sharp|nodemailer|onnxruntime-node|node-datachannel|openai|@aws-sdk\/.*)$/

const MODULES = 'server/modules'
const FEATURES = 'web/src/features'

const ENGINES = ['server/lib', 'server/config.ts', 'server/site.ts', 'server/ctx.ts', 'contract']
const HTTP = [...ENGINES, 'server/engines', 'server/brands']

/** What a layer of the server may import beside itself, as beginnings of paths. */
const SERVER: Readonly<Record<string, readonly string[]>> = {
  'server/lib': ['contract'],
  'server/engines': ENGINES,
  'server/http': HTTP,
  'server/modules': [...HTTP, 'server/http', 'locales'],
}

/** What a layer of the browser may import beside itself. */
const WEB: Readonly<Record<string, readonly string[]>> = {
  'web/src/lib': ['contract', 'locales', 'web/src/ui'],
  'web/src/ui': ['web/src/lib', 'contract', 'locales'],
  'web/src/gcode': ['web/src/ui', 'web/src/lib', 'contract', 'locales'],
  'web/src/player': ['web/src/ui', 'web/src/lib', 'contract', 'locales'],
  'web/src/video': ['web/src/ui', 'web/src/lib', 'contract', 'locales'],
  'web/src/printer': ['web/src/video', 'web/src/ui', 'web/src/lib', 'contract', 'locales'],
  'web/src/features': [
    'web/src/gcode',
    'web/src/printer',
    'web/src/player',
    'web/src/video',
    'web/src/ui',
    'web/src/lib',
    'contract',
    'locales',
  ],
}

const isIn = (path: string, place: string) => path === place || path.startsWith(`${place}/`)

/** The path that is meant, from the root; null for a package of somebody else. */
function targetOf({ file, source }: Import): string | null {
  const own = /^@vigil\/(contract|server|simulator|web)(\/.*)?$/.exec(source)
  if (own) return `${own[1]}${own[2] ?? ''}`
  return source.startsWith('.') ? posix.join(posix.dirname(file), source.split('?', 1)[0]!) : null
}

/** `wing/room`, and whether the rooms of its wing alone see it. */
export interface Room {
  readonly name: string
  readonly isInner: boolean
}

/** What stands above what, lowest first. */
export interface Order {
  readonly modules: readonly Room[]
  readonly features: readonly Room[]
}

/** The rooms of each wing, as the tables of the two READMEs name them; those in italics are inner ones. */
export function readOrder(root: string): Order {
  return { modules: roomsIn(join(root, MODULES)), features: roomsIn(join(root, FEATURES)) }
}

function roomsIn(folder: string): Room[] {
  const readme = join(folder, 'README.md')
  const rooms: Room[] = []
  let wing = ''
  for (const row of existsSync(readme) ? readFileSync(readme, 'utf8').split('\n') : []) {
    wing = /^## ([a-z-]+)$/.exec(row)?.[1] ?? wing
    const name = /^\| (_?[a-z-]+_?) \|/.exec(row)?.[1]
    if (name === undefined || name === 'room') continue
    rooms.push({ name: `${wing}/${name.replaceAll('_', '')}`, isInner: name.startsWith('_') })
  }
  return rooms
}

/** Why this import is refused; null when it is fine. `order` is what `readOrder` gives. */
export function refusal(given: Import, order: Order): string | null {
  const target = targetOf(given)
  const { file } = given
  if (isIn(file, 'contract'))
    return target === null ? only(given, 'zod') : within(target, 'contract', [], 'The contract')
  if (isIn(file, 'web/src')) return target === null ? null : refusalInWeb(file, target, order)
  if (!isIn(file, 'server')) return null
  if (target === null) return refusalOfPackage(given)
  const layer = Object.keys(SERVER).find((one) => isIn(file, one))
  if (layer === undefined) return null
  return (
    within(target, layer, SERVER[layer]!, layer) ??
    (layer === 'server/modules' ? refusalInModules(given, target, order) : null)
  )
}

const only = ({ source }: Import, name: string) =>
  source === name ? null : `The contract imports ${name} and itself, nothing else.`

function within(target: string, own: string, others: readonly string[], who: string): string | null {
  if ([own, ...others].some((place) => isIn(target, place))) return null
  return `${who} may import ${[...others, 'itself'].join(', ')}; not ${target}.`
}

const kindOf = (file: string) => /\.(\w+)\.tsx?$/.exec(posix.basename(file))?.[1] ?? ''

function refusalOfPackage({ file, source, isType }: Import): string | null {
  if (isIn(file, 'server/engines') || isType) return null
  if (VENDORS.test(source)) return 'Vendors live in engines.'
  if (source !== 'kysely' || !isIn(file, 'server/modules')) return null
  return kindOf(file) === 'queries' ? null : 'SQL is written in *.queries.ts.'
}

const roomOf = (folder: string, path: string) => {
  const [wing, room, ...rest] = path.slice(folder.length + 1).split('/')
  return room === undefined || rest.length === 0 ? null : `${wing}/${room}`
}

/** Another room stands above on its README; whoever has a face is reached through it, an inner one by its wing alone. */
function refusalOfOther(folder: string, rooms: readonly Room[], file: string, target: string): string | null {
  if (!isIn(target, folder)) return null
  const [own, other] = [roomOf(folder, file), roomOf(folder, target)]
  if (own === null || other === null) return `What stands in ${folder} stands in a room of a wing.`
  if (own === other) return null
  const [at, above] = [own, other].map((name) => rooms.findIndex((room) => room.name === name))
  for (const [name, place] of [
    [own, at],
    [other, above],
  ] as const)
    if (place === -1) return `${name} is missing in ${folder}/README.md.`
  if (above! > at!) return `${own} stands below ${other} in ${folder}/README.md, and may not import it.`
  if (!rooms[above!]!.isInner)
    return target === `${folder}/${other}/index.ts` ? null : 'Another room is reached through its index.ts.'
  return own.split('/')[0] === other.split('/')[0] ? null : `${other} is seen by the rooms of its wing alone.`
}

function refusalInModules({ file, isType }: Import, target: string, order: Order): string | null {
  const refused = refusalOfOther(MODULES, order.modules, file, target)
  if (refused !== null || isType) return refused
  const other = isIn(target, MODULES) && roomOf(MODULES, file) !== roomOf(MODULES, target)
  const isInner = order.modules.some(({ name, isInner: inner }) => inner && name === roomOf(MODULES, target))
  return refusalByKind(kindOf(file), target, other && !isInner)
}

/** Rules compute from their arguments; queries hold SQL and what shapes it. */
function refusalByKind(kind: string, target: string, ofOther: boolean): string | null {
  const isPlain = isIn(target, 'server/lib') || isIn(target, 'contract')
  const isForRules = isPlain || ofOther || kindOf(target) === 'rules' || isConstants(target)
  if (kind === 'rules' && !isForRules)
    return 'Rules are pure: they import rules, lib, contract, faces and types.'
  const isForQueries = isPlain || isIn(target, 'server/engines/db') || ofOther || isBelowService(target)
  if (kind === 'queries' && !isForQueries)
    return 'Queries import engines/db, lib, contract, rules and other rooms’ faces.'
  return null
}

const isConstants = (target: string) => target.endsWith('.json')
const ABOVE_QUERIES = new Set(['routes', 'sockets', 'service', 'jobs', 'present'])
const isBelowService = (target: string) =>
  isIn(target, 'server/modules') && !ABOVE_QUERIES.has(kindOf(target))

function refusalInWeb(file: string, target: string, order: Order): string | null {
  const layer = Object.keys(WEB).find((one) => isIn(file, one))
  if (layer === undefined) return null
  const refused = within(target, layer, WEB[layer]!, layer)
  if (refused !== null || layer !== 'web/src/features') return refused
  return refusalOfOther(FEATURES, order.features, file, target)
}
