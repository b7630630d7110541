import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/**
 * Who may import whom (docs/architecture.md, "The house"). Pure but for the order of modules, of the rooms in them and of the
 * features, which is read from the `README.md` beside each.
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
const VENDORS = /^(pg|pg-boss|ioredis|sharp|nodemailer|onnxruntime-node|node-datachannel|@aws-sdk\/.*)$/

const ENGINES = ['server/lib', 'server/config.ts', 'server/ctx.ts', 'contract']
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

/** What stands above what, lowest first. */
export interface Order {
  readonly modules: readonly string[]
  readonly features: readonly string[]
  /** The rooms of each module that is divided. */
  readonly rooms: ReadonlyMap<string, readonly string[]>
}

/** The modules, the rooms of those that are divided, and the features, as the first column of their READMEs names them. */
export function readOrder(root: string): Order {
  const folder = join(root, 'server/modules')
  const modules = namesIn(folder)
  const rooms = modules.map((name) => [name, namesIn(join(folder, name))] as const)
  const features = namesIn(join(root, 'web/src/features'))
  return { modules, features, rooms: new Map(rooms.filter(([, names]) => names.length > 0)) }
}

function namesIn(folder: string): string[] {
  const readme = join(folder, 'README.md')
  const rows = existsSync(readme) ? readFileSync(readme, 'utf8').split('\n') : []
  const [, ...names] = rows.flatMap((row) => /^\| ([a-z]+) \|/.exec(row)?.[1] ?? [])
  return names
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

/** What stands side by side in a folder, each with a face. */
interface Houses {
  readonly folder: string
  readonly one: string
  readonly names: readonly string[]
}

const houseOf = ({ folder }: Houses, path: string) => path.slice(folder.length + 1).split('/', 1)[0] ?? ''

const isOther = (houses: Houses, file: string, target: string) =>
  isIn(target, houses.folder) && houseOf(houses, target) !== houseOf(houses, file)

/** Another is reached through its face, and only one that stands above. */
function refusalOfOther(houses: Houses, file: string, target: string): string | null {
  if (!isOther(houses, file, target)) return null
  const { folder, one, names } = houses
  const [own, other] = [houseOf(houses, file), houseOf(houses, target)]
  if (target !== `${folder}/${other}/index.ts`) return `Another ${one} is reached through its index.ts.`
  for (const name of [own, other])
    if (!names.includes(name)) return `${name} is missing in ${folder}/README.md.`
  return names.indexOf(other) > names.indexOf(own)
    ? `${own} stands below ${other} in ${folder}/README.md, and may not import it.`
    : null
}

function refusalInModules({ file, isType }: Import, target: string, order: Order): string | null {
  const modules = { folder: 'server/modules', one: 'module', names: order.modules }
  const refused = refusalOfOther(modules, file, target)
  if (refused !== null) return refused
  const other = isOther(modules, file, target)
  const rooms = order.rooms.get(houseOf(modules, file))
  const inRooms = rooms && !other ? refusalInRooms(file, target, rooms) : null
  return inRooms ?? (isType ? null : refusalByKind(kindOf(file), target, other))
}

/** In a module that is divided: a room imports rooms above it in the module's README, and never the face. */
function refusalInRooms(file: string, target: string, rooms: readonly string[]): string | null {
  if (!isIn(target, 'server/modules')) return null
  const [own, other] = [file, target].map((path) => path.split('/').slice(3, -1)[0])
  if (own === undefined || own === other) return null
  const readme = `${file.split('/').slice(0, 3).join('/')}/README.md`
  if (!rooms.includes(own)) return `${own} is missing in ${readme}.`
  if (other === undefined) return 'A room does not import what stands before all rooms of its module.'
  if (!rooms.includes(other)) return `${other} is missing in ${readme}.`
  return rooms.indexOf(other) > rooms.indexOf(own)
    ? `${own} stands below ${other} in ${readme}, and may not import it.`
    : null
}

/** Rules compute from their arguments; queries hold SQL and what shapes it. */
function refusalByKind(kind: string, target: string, ofOther: boolean): string | null {
  const isPlain = isIn(target, 'server/lib') || isIn(target, 'contract')
  const isForRules = isPlain || ofOther || kindOf(target) === 'rules' || isConstants(target)
  if (kind === 'rules' && !isForRules)
    return 'Rules are pure: they import rules of their module, lib, contract, faces and types.'
  const isForQueries = isPlain || isIn(target, 'server/engines/db') || ofOther || isBelowService(target)
  if (kind === 'queries' && !isForQueries)
    return 'Queries import engines/db, lib, contract, rules and other modules’ faces.'
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
  return refusalOfOther({ folder: layer, one: 'feature', names: order.features }, file, target)
}
