import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { build } from 'vite'
import { expect, it } from 'vitest'

/** The files that need each other in a circle: those that are left when what needs nothing of the rest is taken away, again and again. */
function circle(
  chunks: readonly { readonly fileName: string; readonly imports: readonly string[] }[],
): string[] {
  let left = [...chunks]
  for (;;) {
    const names = new Set(left.map(({ fileName }) => fileName))
    const needing = left.filter(({ imports }) => imports.some((name) => names.has(name)))
    if (needing.length === left.length) return [...names]
    left = needing
  }
}

it('the product holds the styles of what it shows, and nothing that is for developing it', async () => {
  const root = join(import.meta.dirname, '../..')
  const before = process.env['NODE_ENV']
  process.env['NODE_ENV'] = 'production'
  try {
    const built = await build({
      root,
      configFile: join(root, 'vite.config.ts'),
      logLevel: 'silent',
      build: { write: false, minify: false },
    })
    const { output } = built as Extract<typeof built, { output: unknown }>
    const styles = output.flatMap((one) =>
      one.type === 'asset' && one.fileName.endsWith('.css') ? [String(one.source)] : [],
    )
    const chunks = output.flatMap((one) => (one.type === 'chunk' ? [one] : []))
    expect(chunks.some(({ code }) => code.includes('/printers/$id/control/'))).toBe(true)
    expect(chunks.filter(({ code }) => code.includes('dev/gallery'))).toEqual([])
    const modules = chunks.flatMap((chunk) => chunk.moduleIds)
    expect(modules.filter((id) => id.startsWith(join(root, 'dev')))).toEqual([])

    // Which file of a circle runs first is chance, and what it reads of the others at once is not there.
    expect(circle(chunks)).toEqual([])

    // Mantine's classes are named m_ and a number; each that is used and has rules comes with them (vite.styles.ts).
    const whole = readFileSync(
      createRequire(import.meta.url).resolve('@mantine/core/styles.layer.css'),
      'utf8',
    )
    const used = new Set(chunks.flatMap(({ code }) => code.match(/\bm_[0-9a-f]{6,8}\b/g) ?? []))
    expect(used.size).toBeGreaterThan(50)
    const bare = [...used].filter(
      (name) => whole.includes(`.${name}`) && !styles.some((style) => style.includes(`.${name}`)),
    )
    expect(bare).toEqual([])
  } finally {
    process.env['NODE_ENV'] = before
  }
}, 240_000)
