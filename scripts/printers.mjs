// From PyPI, installed once, below `.vigil/printers`: real OctoPrint and Moonraker, which the tunnel is tried against, and two servers of
// S3, moto and Swift.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { alone, CannotStart, hashOf, read, run } from './bootstrap.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = join(root, '.vigil/printers')
const isCi = process.env.CI === 'true' || process.env.CI === '1'

/** What installs the others, a tenth as long as pip does. */
const UV = 'uv==0.13.9'
const PROGRAMS = ['octoprint', 'moonraker', 'moto', 'swift']

/** Installs them, unless they are there. Says so where they can't be; raises `CannotStart` in CI. */
export function installPrinters() {
  const stamp = join(folder, 'stamp')
  const wanted = hashOf(['scripts/printers.mjs', 'scripts/printers'])
  try {
    if (read(stamp) !== wanted)
      alone(() => {
        if (read(stamp) === wanted) return
        rmSync(folder, { recursive: true, force: true })
        installAll()
        writeFileSync(stamp, wanted)
      })
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error
    console.log('Not there: OctoPrint, Moonraker, moto and Swift from PyPI, for the tests that use them.')
    if (isCi) throw error
    console.log(error.message)
  }
}

function installAll() {
  mkdirSync(folder, { recursive: true })
  // Debian's, with the libraries of Debian; another only where that is not
  const python = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3'
  const tool = join(folder, 'uv')
  run('making a place for Python programs', python, ['-m', 'venv', tool])
  run(`installing ${UV}`, join(tool, 'bin/pip'), ['install', '-q', '--disable-pip-version-check', UV])
  const uv = join(tool, 'bin/uv')
  for (const name of PROGRAMS) {
    const home = join(folder, name)
    run(`making a place for ${name}`, uv, ['venv', '-q', '--no-config', '--python', python, home])
    const list = join(root, `scripts/printers/${name}.txt`)
    const to = ['--python', join(home, 'bin/python')]
    run(`installing ${name}`, uv, ['pip', 'sync', '-q', '--no-config', ...to, list])
  }
}
