import { join } from 'node:path'
import { build } from 'vite'
import { expect, it } from 'vitest'

it('the product holds nothing that is for developing it', async () => {
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
    const chunks = output.flatMap((one) => (one.type === 'chunk' ? [one] : []))
    expect(chunks.some(({ code }) => code.includes('/printers/$id/control/'))).toBe(true)
    expect(chunks.filter(({ code }) => code.includes('dev/gallery'))).toEqual([])
    const modules = chunks.flatMap((chunk) => chunk.moduleIds)
    expect(modules.filter((id) => id.startsWith(join(root, 'dev')))).toEqual([])
  } finally {
    process.env['NODE_ENV'] = before
  }
}, 240_000)
