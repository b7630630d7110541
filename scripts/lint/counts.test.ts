import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/**
 * What the type checker is asked to believe, and what is long, in the product: numbers that may only fall. Whoever
 * brings one down lowers it in this file, so that it stays down; whoever meets one that rose finds another way.
 */
const FILE = 'scripts/lint/counts.json'

type Counts = Record<string, number>

const root = join(import.meta.dirname, '../..')
const RULES: Record<string, string> = {
  'eslint(max-lines-per-function)': 'functions over 50 lines',
  'typescript(no-non-null-assertion)': 'non-null assertions',
  'typescript(consistent-type-assertions)': 'type assertions',
}
const isTest = (file: string) =>
  /\.(test|fixture|support)\.tsx?$|\/support\.ts$|^server\/test\/|\/moto\.ts$|types\.gen\.ts$/.test(file)

interface Found {
  readonly diagnostics: readonly { readonly code: string; readonly filename: string }[]
}

function count(): Counts {
  const { stdout } = spawnSync(
    join(root, 'node_modules/.bin/oxlint'),
    [
      '-c',
      'scripts/lint/counts.oxlintrc.json',
      '--format',
      'json',
      'contract',
      'server',
      'simulator',
      'web/src',
    ],
    { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1_048_576 },
  )
  const counts: Counts = Object.fromEntries(Object.values(RULES).map((name) => [name, 0]))
  for (const { code, filename } of (JSON.parse(stdout) as Found).diagnostics) {
    const name = RULES[code]
    if (name !== undefined && !isTest(filename)) counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

const WAITS = 'waits for a time in tests'
const WAIT = /await sleep\(\d|setTimeout\(\w+, \d[\d_]*\)|waitForTimeout\(/g

/** Tests wait for what they mean: each of these waits for a time, and is slow on a machine at rest and wrong on a busy one. */
function countWaits(): number {
  const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx'], { cwd: root, encoding: 'utf8' }).split(
    '\n',
  )
  return files
    .filter((file) => (isTest(file) || file.startsWith('e2e/')) && existsSync(join(root, file)))
    .flatMap((file) => readFileSync(join(root, file), 'utf8').match(WAIT) ?? []).length
}

const frozen = JSON.parse(readFileSync(join(root, FILE), 'utf8')) as Counts

/** The file as each commit before this one had it. */
function earlier(): Counts[] {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' })
  const commits = git('log', '--format=%H', '--diff-filter=AM', '--', FILE).split('\n').filter(Boolean)
  return commits.map((commit) => JSON.parse(git('show', `${commit}:${FILE}`)) as Counts)
}

test('long functions, assertions and waits for a time only become fewer', () => {
  expect({ ...count(), [WAITS]: countWaits() }).toEqual(frozen)
})

test('their numbers were never raised, nor is one gone', () => {
  for (const before of earlier())
    for (const [name, number] of Object.entries(before))
      expect(frozen[name], name).toBeLessThanOrEqual(number)
})
