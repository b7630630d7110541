import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/**
 * `npm run count`: how much house there is, as one table. **Source** is what runs in the product: TypeScript, JavaScript and CSS of `contract`,
 * `server` and `web/src`, without tests and what they share, without what is generated. A line is a line of a file, blank ones and comments,
 * too. **Small** is a file under 30 lines that one other file imports (tests do not count): it could stand in that. `--small` lists them.
 */
const root = join(import.meta.dirname, '..')
const PLACES = ['contract', 'server', 'web/src']
const TEST = /\.(test|fixture|support|setup|global)\.tsx?$|\/support\.ts$|^server\/test\/|\/moto\.ts$/
const SMALL = 30

const listed = execFileSync('git', ['ls-files', ...PLACES], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n')
const source = listed.filter(
  (file) => /\.(tsx?|js|css)$/.test(file) && !TEST.test(file) && !file.endsWith('.gen.ts'),
)
const texts = new Map(source.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
const linesOf = (file: string) => (texts.get(file) ?? '').split('\n').length - 1
const sum = (files: readonly string[]) => files.reduce((all, file) => all + linesOf(file), 0)

/** The file that an import means, from the root. */
function meant(file: string, said: string): string {
  const own = /^@vigil\/(.*)$/.exec(said)?.[1]
  return own ?? posix.join(posix.dirname(file), said.split('?', 1)[0] ?? '')
}

const importers = new Map<string, Set<string>>()
for (const [file, text] of texts)
  for (const [, said = ''] of text.matchAll(
    /(?:\bfrom|\bimport|\bURL\()[\s(]*'((?:\.{1,2}|@vigil)\/[^']+)'/g,
  )) {
    const target = meant(file, said)
    if (target !== file) importers.set(target, (importers.get(target) ?? new Set()).add(file))
  }

const importer = (file: string) => [...(importers.get(file) ?? [])]
/** A stylesheet stands beside its component, and a face is there for others: neither could stand in its importer. */
const isWhole = (file: string) => file.endsWith('.css') || posix.basename(file) === 'index.ts'
const single = source.filter((file) => !isWhole(file) && importer(file).length === 1)
const small = single.filter((file) => linesOf(file) < SMALL)

const css = source.filter((file) => file.endsWith('.css'))
const flex = css.flatMap((file) => [...(texts.get(file) ?? '').matchAll(/display:\s*(?:inline-)?flex/g)])
const held = join(root, 'scripts/lint/counts.json')
const counts = existsSync(held) ? (JSON.parse(readFileSync(held, 'utf8')) as Record<string, number>) : {}

if (process.argv.includes('--small'))
  for (const file of small)
    console.log(`${String(linesOf(file)).padStart(4)} ${file} -> ${importer(file).join()}`)
else
  console.table({
    ...Object.fromEntries(
      PLACES.map((place) => {
        const files = source.filter((file) => file.startsWith(`${place}/`))
        return [place, { lines: sum(files), files: files.length }]
      }),
    ),
    source: { lines: sum(source), files: source.length },
    'of it CSS': { lines: sum(css), files: css.length },
    [`under ${SMALL} lines`]: { files: source.filter((file) => linesOf(file) < SMALL).length },
    'one importer': { lines: sum(single), files: single.length },
    [`both: small`]: { lines: sum(small), files: small.length },
    ...Object.fromEntries(Object.entries(counts).map(([name, times]) => [name, { times }])),
    'display: flex': { times: flex.length },
  })
