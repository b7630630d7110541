import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

const files = spawnSync(
  'git',
  [
    'ls-files',
    '--cached',
    '--others',
    '--exclude-standard',
    '*.ts',
    '*.tsx',
    '*.mjs',
    '*.js',
    '*.py',
    '*.css',
    '*.md',
  ],
  { cwd: root, encoding: 'utf8' },
)
  .stdout.split('\n')
  .filter((name) => name !== '' && !/\/(fixtures|captures)\//.test(name) && existsSync(join(root, name)))

const read = (name: string) => readFileSync(join(root, name), 'utf8')

/** Documents that are not in the repository, and issues: whoever reads the code in a year has neither. */
const ELSEWHERE =
  /\b(agent-protocol|api-contract|product-[123]\b|streaming-and-tunnel|(?<!\/)detection\.md [0-9]|issue [0-9]|appendix [A-F]\b)/

test('comments cite nothing that is not in the repository', () => {
  const cited = files
    .filter((name) => name !== 'scripts/references.test.ts' && name !== 'docs/rules/watch.md')
    .flatMap((name) =>
      read(name)
        .split('\n')
        .flatMap((line, at) => (ELSEWHERE.test(line) ? [`${name}:${at + 1}: ${line.trim()}`] : [])),
    )
  expect(cited).toEqual([])
})

/** `docs/wire/agents.md 3.2`, `docs/decisions/0002`: a file, and the number of a heading in it. */
const REFERENCE = /(?<!https?:\/\/\S*)\bdocs\/([\w/-]+(?:\.md)?)((?: \d+(?:\.\d+)*)(?:, \d+(?:\.\d+)*)*)?/g

test('what comments and documents refer to is there', () => {
  const dead = files.flatMap((name) =>
    [...read(name).matchAll(REFERENCE)].flatMap(([reference, path = '', numbers = '']) =>
      isThere(
        path,
        numbers.split(',').map((one) => one.trim()),
      )
        ? []
        : [`${name}: ${reference}`],
    ),
  )
  expect(dead).toEqual([])
})

const kept = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
}).stdout.split('\n')
/** Source files by the end of their path, and what begins with a folder of ours: `carry/lines.ts`, `web/src/early/`. */
const SOURCE = /^[\w./-]+\.(?:tsx?|mjs|js|css|sql|py|html)$/
const OURS = /^(?:bench|contract|docs|e2e|locales|scripts|server|simulator|web)\/[\w./-]*$/
/** A package, and what others call their own. */
const OTHERS = ['ipaddr.js', 'server/util.go', 'server/info']

test('every file that a document names is there', () => {
  const missing = files
    .filter((name) => name.endsWith('.md') && name !== 'CHANGELOG.md')
    .flatMap((name) =>
      [...read(name).matchAll(/`([^`\s]{1,200})`/g)]
        .map(([, path = '']) => path)
        .filter((path) => (SOURCE.test(path) || OURS.test(path)) && !path.startsWith('/'))
        .filter((path) => !OTHERS.includes(path) && !existsSync(join(root, path)))
        .filter((path) => !kept.some((file) => file.endsWith(`/${path}`)))
        .map((path) => `${name}: ${path}`),
    )
  expect(missing).toEqual([])
})

/** Where the walks of docs/walks.md begin their paths. */
const WALKED = ['server/modules/', '']
/** What hands on by itself: who takes from it imports it, so the way goes against the import. */
const HANDS_ON =
  /\/(frames\/(frames|envelopes)|presence\/(status|news|line)|live\/shown|event-log\/events\.jobs|sending\/(outbox|message)\.service|channels\/email\.channel|http\/resumable|lib\/socket)\.ts$/
/** Where a walk goes on without an import: after a wire, by a person, or by what has registered itself. */
const GOES_ON = [
  'web/src/lib/socket.ts',
  'server/http/resumable.ts',
  'server/modules/files/cloud-prints/cloud-prints.routes.ts',
  'server/modules/core/agents/session.ts',
  'server/modules/tell/sending/outbox.service.ts',
  'server/modules/tell/channels/email.channel.ts',
  'server/engines/mail/smtp.ts',
]

/** What a file imports to run, through the `index.ts` of others. */
function importsOf(file: string, through = new Set<string>()): string[] {
  const found = read(file).matchAll(/^(?:import|export)\s(?!type\b)[^'"]*?from\s+'(\.[^']+\.ts)'/gm)
  return [...found].flatMap(([, path = '']) => {
    const to = join(dirname(file), path)
    if (!to.endsWith('/index.ts')) return [to]
    return through.has(to) ? [] : importsOf(to, through.add(to))
  })
}

test.each([
  ['The way of a status', 14],
  ['The way of an upload', 16],
  ['The way of a picture', 19],
])('%s goes by imports from its entry to each file that it names, over %i files', (title, most) => {
  const section = read('docs/walks.md')
    .split(/^## /m)
    .find((one) => one.startsWith(title))
  const named = [...(section ?? '').matchAll(/`((?!server\/test\/)[\w-]+\/[\w./-]+\.tsx?)`/g)].map(
    ([, path = '']) => WALKED.map((place) => place + path).find((one) => existsSync(join(root, one))) ?? path,
  )
  const stations = new Set(named)
  expect(stations.size).toBe(most)
  const [entry = ''] = named
  const ways = [...stations].flatMap((from) =>
    importsOf(from).flatMap((to) =>
      HANDS_ON.test(to)
        ? [
            [from, to],
            [to, from],
          ]
        : [[from, to]],
    ),
  )
  const met = new Set([entry, ...GOES_ON.filter((one) => stations.has(one))])
  for (const at of met) for (const [from, to] of ways) if (from === at && stations.has(to!)) met.add(to!)
  expect([...stations].filter((one) => !met.has(one))).toEqual([])
})

function isThere(path: string, numbers: readonly string[]): boolean {
  const decision = /^decisions\/(\d{4})$/.exec(path)?.[1]
  if (decision !== undefined) return files.some((name) => name.startsWith(`docs/decisions/${decision}-`))
  const file = `docs/${path}`
  if (!path.endsWith('.md')) return existsSync(join(root, file)) || existsSync(join(root, `${file}.md`))
  if (!existsSync(join(root, file))) return false
  const headings = [...read(file).matchAll(/^#+ (\d+(?:\.\d+)*)\.? /gm)].map(([, number]) => number)
  // prose may go on with a number of its own behind a file whose sections have none
  return headings.length === 0 || numbers.every((one) => one === '' || headings.includes(one))
}

const STYLES = /import (\w+) from '([^']+\.module\.css)'/g

test('every class that a component names is in its stylesheet', () => {
  const named = files
    .filter((name) => /^web\/.*\.tsx?$/.test(name))
    .flatMap((name) => {
      const text = read(name)
      return [...text.matchAll(STYLES)].flatMap(([, styles = '', sheet = '']) => {
        const rules = read(join(dirname(name), sheet))
        const used = text.matchAll(new RegExp(`(?<![\\w/-])${styles}\\.([a-z]\\w*)`, 'gi'))
        return [...used].flatMap(([, one = '']) =>
          new RegExp(`\\.${one}(?![\\w-])`).test(rules) ? [] : [`${name}: ${one}`],
        )
      })
    })
  expect(named).toEqual([])
})
