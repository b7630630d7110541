// `npm run shots -- NAME…`: pictures of the product's pages, from the journeys that look at each of them (e2e/look.ts).
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const out = process.env.SHOTS_OUT ?? '/tmp/shots'
mkdirSync(out, { recursive: true })

// Without a name all begin so.
const env = { ...process.env, SHOTS: process.argv.slice(2).join(' '), SHOTS_OUT: out }
const { status } = spawnSync(join(root, 'vigil'), ['test', 'e2e/core/look'], {
  cwd: root,
  env,
  stdio: 'inherit',
})
console.log(`Pictures are in ${out}.`)
process.exit(status ?? 1)
