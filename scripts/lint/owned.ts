/**
 * What belongs to an owner is reached by proof (docs/server.md, "Whose it is"): the compiler lets no number meet a column of
 * ids, and this rule lets nobody make an id of a number but in the places that are listed here.
 */

/** As much of oxlint's tree as is looked at. */
export interface Node {
  readonly type: string
  readonly name?: string
  readonly parent?: Node
  readonly [key: string]: unknown
}

/** Where the server acts for an owner who has not asked, and why. */
const BY_SERVER: ReadonlyMap<string, string> = new Map([
  ['files/cloud-prints/follow.service.ts', 'a hand-over that its owner began goes on'],
  ['watch/alerts/announce.service.ts', 'the detector pauses'],
  ['watch/first-layer/index.ts', 'a nozzle camera’s picture came with the webcam’s'],
  ['printers/linking/codes.service.ts', 'a printer is linked by who has its code'],
  ['files/queue-start/send.service.ts', 'the next of the queue is begun'],
  ['remote/grants/grants.service.ts', 'a port gives way, a printer is gone'],
  ['remote/video/cycle.service.ts', 'a viewer’s minutes are counted'],
])

/** Where an id comes out of what the server has told itself: jobs, letters, other nodes, what it has signed. */
const TOLD_ITSELF: ReadonlySet<string> = new Set([
  'people/sessions/sessions.ts',
  'people/factors/entering.service.ts',
  'people/leaving/erase.service.ts',
  'people/leaving/export.service.ts',
  'people/identities/identities.service.ts',
  'people/oauth/token.routes.ts',
  'people/factors/passkeys.service.ts',
  'watch/alerts/pause.service.ts',
  'core/event-log/events.jobs.ts',
  'watch/nozzle-camera/film.service.ts',
  'watch/nozzle-camera/judge.service.ts',
  'prints/gallery/copies.service.ts',
  'files/folders/blobs.jobs.ts',
  'printers/linking/linking.mails.ts',
  'prints/lifecycle/ended.jobs.ts',
  'shop/hours/hours.jobs.ts',
  'shop/subscriptions/subscriptions.jobs.ts',
  'files/queue-start/next.service.ts',
  'prints/replay/run.service.ts',
  'slice/slicing/run.service.ts',
  'assistant/support/support.service.ts',
  'remote/origins/pass.rules.ts',
  'remote/video/viewing.ts',
])

/** The types and the one place that make proofs. */
const MAKES_PROOF = 'core/access/access.policy.ts'

const IDS = /^(?:User|Printer|Print|File|Folder)Id$/
const SCOPE = /(?:Principal|Scope)$|^(?:Admin|PrintsOf|Id|UserId|PrinterId|PrintId|Authorized|Asker|Caller)$/
/** An agent's own key of a print (`extId`), and a number that was refused, are no row's. */
const ID_NAME = /^(?!refused|\w{0,40}[eE]xtIds?$)(?:ids?|\w{0,40}Ids?)$/
/** Text that the server has drawn at random (122 bits) is known to whom it was told. */
const DRAWN = new Set(['id', 'linkId'])
const LISTS = new Set(['Array', 'ReadonlyArray', 'Set', 'ReadonlySet', 'Iterable'])
const INSIDE = new Set([
  'TSTypeOperator',
  'TSArrayType',
  'TSUnionType',
  'TSTypeAnnotation',
  'TSTypeReference',
])
const SQL = new Set(['selectFrom', 'insertInto', 'updateTable', 'deleteFrom', 'mergeInto', 'replaceInto'])
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])
const SHAPES = new Set(['TSTypeAliasDeclaration', 'TSInterfaceDeclaration'])
/** What stands before a value of a row's id in SQL. */
const MEETS_ID = /(?:\b|_)id\s{0,9}(?:=|<>|in)\s{0,9}(?:any\s{0,9}\()?\s{0,9}\(?$/i

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value
const nodes = (value: unknown): Node[] => (Array.isArray(value) ? value : [value]).filter(isNode)
const child = (node: Node, key: string): Node | undefined => nodes(node[key])[0]

/** What this and all in it are. */
function* all(node: Node): Generator<Node> {
  yield node
  for (const [key, value] of Object.entries(node))
    if (key !== 'parent') for (const inner of nodes(value)) yield* all(inner)
}

const typeName = (node: Node) => (node.type === 'TSTypeReference' ? child(node, 'typeName')?.name : undefined)
const typeOf = (node: Node) => child(child(node, 'left') ?? node, 'typeAnnotation')

/** `number`, lists of it, and what may be one; the same of `string`, but for names of what is drawn. */
function isPlain(type: Node | undefined, name: string): boolean {
  if (type === undefined) return false
  if (type.type === 'TSNumberKeyword') return true
  if (type.type === 'TSStringKeyword') return !DRAWN.has(name)
  const inner = [...nodes(type['typeAnnotation']), ...nodes(type['elementType']), ...nodes(type['types'])]
  const list = LISTS.has(typeName(type) ?? '') ? nodes(child(type, 'typeArguments')?.['params']) : []
  return INSIDE.has(type.type) && [...inner, ...list].some((one) => isPlain(one, name))
}

/** What stands in the file of a node, by itself or exported. */
function statementsOf(node: Node): Node[] {
  let at = node
  while (at.parent !== undefined && at.parent !== null) at = at.parent
  return nodes(at['body']).map((one) => child(one, 'declaration') ?? one)
}

/** This type and all in it, and in those that the same file gives a name. */
function* members(type: Node, seen = new Set<Node>()): Generator<Node> {
  for (const node of all(type)) {
    yield node
    const name = typeName(node)
    const named =
      name && statementsOf(node).find((one) => SHAPES.has(one.type) && child(one, 'id')?.name === name)
    if (!named || seen.has(named)) continue
    seen.add(named)
    yield* members(named, seen)
  }
}

/** The name of an id that comes as a plain number or text, in a parameter of its own or in an object. */
function plainIdIn(param: Node): string | undefined {
  const type = typeOf(param)
  const name = (child(param, 'left') ?? param).name
  if (name !== undefined && ID_NAME.test(name) && isPlain(type, name)) return name
  for (const member of type === undefined ? [] : members(type)) {
    const key = member.type === 'TSPropertySignature' ? child(member, 'key')?.name : undefined
    if (key !== undefined && ID_NAME.test(key) && isPlain(child(member, 'typeAnnotation'), key)) return key
  }
  return undefined
}

/** Functions that somebody gets who gets what this is: itself, what it holds, or wraps. */
function* offered(node: Node): Generator<Node> {
  if (FUNCTIONS.has(node.type)) return yield node
  const parts = ['declarations', 'init', 'arguments', 'properties', 'elements', 'value', 'body', 'expression']
  for (const key of parts) for (const inner of nodes(node[key])) yield* offered(inner)
}

/** What an export gives away: what is declared in it, or elsewhere in its file. */
function declaredBy(node: Node): Node[] {
  if (node.type !== 'ExportSpecifier') return nodes(node['declaration'])
  const name = child(node, 'local')?.name
  return statementsOf(node)
    .flatMap((one) => [one, ...nodes(one['declarations'])])
    .filter((one) => child(one, 'id')?.name === name)
}

const hasScope = (params: readonly Node[]) =>
  params.some((param) => [...members(param)].some((node) => SCOPE.test(typeName(node) ?? '')))

/** The functions in which a node stands, and their parameters. */
function* around(node: Node): Generator<Node> {
  for (let at = node.parent; at !== undefined && at !== null; at = at.parent) if ('params' in at) yield at
}

const placeOf = (file: string) => /^server\/modules\/(.+)$/.exec(file)?.[1]
const isQueries = (place: string) => place.endsWith('.queries.ts')

/** Why an export of queries or services may not be as it is: its callers need no proof; null where they do. */
export function refusedExport(file: string, node: Node): string | null {
  const place = placeOf(file)
  if (place === undefined || !/\.(?:queries|service)\.ts$/.test(place)) return null
  const plain = declaredBy(node)
    .flatMap((one) => [...offered(one)])
    .map((one) => nodes(one['params']))
    .flatMap((params) => (hasScope(params) ? [] : params.map(plainIdIn)))
    .find((name) => name !== undefined)
  return plain === undefined
    ? null
    : `${plain} is a plain number or text: take an Id, an Authorized printer, or whose it is beside it (docs/server.md, "Whose it is").`
}

/** Why a call may not stand here; null where it may. */
export function refusedCall(file: string, node: Node): string | null {
  const place = placeOf(file)
  const callee = child(node, 'callee')
  if (place === undefined || callee === undefined) return null
  const method = callee.type === 'MemberExpression' ? child(callee, 'property')?.name : undefined
  if (method !== undefined && SQL.has(method) && !isQueries(place)) return 'SQL is written in *.queries.ts.'
  return null
}

/** The parameter by which a value comes into a function, and its type there. */
function* incoming(node: Node): Generator<{ readonly name: string; readonly type: Node | undefined }> {
  const { name } = child(node, 'object') ?? node
  for (const one of around(node)) {
    const params = nodes(one['params'])
    if (hasScope(params)) return
    for (const param of params) {
      const type = typeOf(param)
      const own = (child(param, 'left') ?? param).name
      if (own !== undefined && own === name && node.type === 'Identifier') yield { name: own, type }
      const key = node.type === 'Identifier' ? name : child(node, 'property')?.name
      for (const member of type === undefined ? [] : members(type))
        if (key !== undefined && child(member, 'key')?.name === key)
          yield { name: key, type: child(member, 'typeAnnotation') }
    }
  }
}

/** Why SQL that is written out may not stand as it is; null where it may. */
export function refusedSql(file: string, node: Node): string | null {
  const place = placeOf(file)
  if (place === undefined || child(node, 'tag')?.name !== 'sql') return null
  if (!isQueries(place)) return 'SQL is written in *.queries.ts.'
  const quasi = child(node, 'quasi')
  const values = nodes(quasi?.['expressions'])
  const texts = nodes(quasi?.['quasis']).map((one) => String((one['value'] as { raw?: unknown })?.raw))
  const plain = values.find(
    (value, at) =>
      MEETS_ID.test((texts[at] ?? '').slice(-99)) &&
      [...incoming(value)].some(({ name, type }) => isPlain(type, name)),
  )
  return plain === undefined
    ? null
    : 'A plain number or text meets the id of a row: take an Id, or whose it is beside it (docs/server.md, "Whose it is").'
}

/** Why one of the words that make proof may not stand here; null where it may. */
export function refusedWord(file: string, node: Node): string | null {
  const place = placeOf(file)
  if (place === undefined || place === MAKES_PROOF) return null
  const isImport = node.parent?.type === 'ImportSpecifier'
  if (node.name === 'byServer' && node.parent?.type !== 'ExportSpecifier' && !BY_SERVER.has(place))
    return 'byServer acts for somebody who has not asked: only in the places that scripts/lint/owned.ts lists.'
  if (node.name === 'idOf' && isImport && !TOLD_ITSELF.has(place))
    return 'idOf believes what the server has told itself: only in the places that scripts/lint/owned.ts lists.'
  if (node.name !== 'sought' || isImport) return null
  const isScoped = [...around(node)].some((one) => hasScope(nodes(one['params'])))
  return isQueries(place) && isScoped
    ? null
    : 'sought looks for what somebody names among what is theirs: in *.queries.ts, in a function that takes whose.'
}

/** Why an assertion, a guard or a schema may not stand here: it makes proof of nothing; null where it may. */
export function refusedAssertion(file: string, node: Node): string | null {
  const place = placeOf(file)
  if (place === undefined || place === MAKES_PROOF) return null
  const type = child(node, 'typeArguments') ?? child(node, 'typeAnnotation')
  const names = type === undefined ? [] : [...all(type)].map((one) => typeName(one) ?? '')
  return names.some((name) => IDS.test(name) || name === 'Id' || name === 'Authorized')
    ? 'An assertion is no proof: read the row in its owner’s right.'
    : null
}
