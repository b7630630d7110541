// `npm run dev`: the product with two simulated printers, the server restarted and the pages reloaded as files change.
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
/** Long enough for an editor that writes a file in two steps. */
const CALM_MS = 200

const env = {
  ...process.env,
  PORT: '3334',
  HOST: '127.0.0.1',
  VIGIL_DATA: process.env.VIGIL_DATA ?? join(root, '.vigil/dev'),
}
// with --json nothing goes into a file: the log is read here
const vigil = spawn(join(root, 'vigil'), ['up', '--demo', '--json'], { env, stdio: 'inherit' })
const pages = spawn(join(root, 'node_modules/.bin/vite'), ['web'], {
  cwd: root,
  env: { ...process.env, NODE_ENV: 'development' },
  stdio: 'inherit',
})

/** @type {ReturnType<typeof setTimeout> | undefined} */
let calm
for (const folder of ['server', 'contract', 'locales'])
  watch(join(root, folder), { recursive: true }, (_, name) => {
    if (name === null || /\.test\.|~$|^\./.test(name)) return
    clearTimeout(calm)
    calm = setTimeout(() => vigil.kill('SIGUSR2'), CALM_MS)
  })

const stop = () => {
  pages.kill()
  vigil.kill()
}
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, stop)
pages.once('exit', stop)
vigil.once('exit', (code) => {
  pages.kill()
  process.exit(code ?? 0)
})
