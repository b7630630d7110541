// Installs and builds what has changed since the last time, then prints the Node to go on with.
// Plain JavaScript for Node 20 without any package: nothing is installed yet when it runs.
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtFolder, hashOf as hashBelow } from '../server/built.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const OLDEST_NODE = 20
const SERVER_NODE = 24
const major = Number.parseInt(process.versions.node, 10)

export class CannotStart extends Error {}

/** The hash of files and folders of ours. @param {readonly string[]} paths */
export const hashOf = (paths) => hashBelow(root, paths)

/** @param {string} file */
export const read = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '')

/** @param {string} what @param {string} command @param {string[]} args @param {string} [cwd] */
export function run(what, command, args, cwd = root) {
  console.error(`vigil: ${what} …`)
  const started = Date.now()
  // what they print is no answer of ours: stdout carries only the path of Node
  const { status, error } = spawnSync(command, args, {
    cwd,
    stdio: ['ignore', 2, 2],
    env: { ...process.env, CI: '1' },
  })
  if (error) throw new CannotStart(`${what}: ${error.message}`)
  if (status !== 0) throw new CannotStart(`${what} failed (see above).`)
  console.error(`vigil: ${what} took ${((Date.now() - started) / 1000).toFixed(1)} s`)
}

/** Installs the packages of the lockfile, unless they are there. */
export function install() {
  const stamp = join(root, 'node_modules/.vigil-stamp')
  const wanted = `${hashOf(['package-lock.json'])} ${process.platform}-${process.arch}`
  if (read(stamp) === wanted) return
  alone(() => {
    if (read(stamp) === wanted) return
    run('installing packages', 'npm', [
      'ci',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--include=dev',
      '--loglevel=error',
    ])
    writeFileSync(stamp, wanted)
  })
}

/**
 * One command at a time changes what is installed: two at once would pull the packages from under each other.
 * @param {() => void} work
 */
export function alone(work) {
  const lock = join(root, '.vigil/installing')
  mkdirSync(dirname(lock), { recursive: true })
  while (!take(lock)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
  try {
    work()
  } finally {
    rmSync(lock, { force: true })
  }
}

/** @param {string} lock */
function take(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
  }
  let holder = process.pid
  try {
    holder = Number(readFileSync(lock, 'utf8')) || process.pid
  } catch {
    // It was given back this moment.
  }
  if (holder !== process.pid && !isAlive(holder)) rmSync(lock, { force: true })
  return false
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
}

/** Builds the browser's part, unless its sources are as they were; the old one serves until the new one is whole. */
export function buildWeb() {
  const stamp = join(root, 'web/dist/.vigil-stamp')
  const wanted = hashOf(['web', 'contract', 'locales', 'package-lock.json'])
  if (read(stamp) === wanted) return
  const fresh = join(root, `web/dist.${process.pid}`)
  try {
    const vite = join(root, 'node_modules/vite/bin/vite.js')
    run(
      'building the web client',
      node(),
      [vite, 'build', '--logLevel', 'warn', '--outDir', fresh, '--emptyOutDir'],
      join(root, 'web'),
    )
    writeFileSync(join(fresh, '.vigil-stamp'), wanted)
    rmSync(join(root, 'web/dist'), { recursive: true, force: true })
    renameSync(fresh, join(root, 'web/dist'))
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

/**
 * Builds the server, unless its sources are as they were; a server that runs still reads from the one before, so that stays. Where it
 * can't be built (a folder that is not ours to write in) the server runs from its sources.
 */
export function buildServer() {
  const target = builtFolder(root)
  if (existsSync(target)) return
  const all = dirname(target)
  const fresh = join(all, `fresh.${process.pid}`)
  try {
    alone(() => {
      if (existsSync(target)) return
      run('building the server', node(), [join(root, 'scripts/build-server.mjs'), fresh])
      const written = (/** @type {string} */ path) => statSync(path).mtimeMs
      const [, , ...old] = readdirSync(all)
        .map((name) => join(all, name))
        .sort((a, b) => written(b) - written(a))
      for (const path of old) rmSync(path, { recursive: true, force: true })
      renameSync(fresh, target)
    })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    console.error(`vigil: the server runs from its sources and starts a little later: ${reason}`)
    rmSync(fresh, { recursive: true, force: true })
  }
}

/** The pinned Node from npm, else this one if it is new enough. */
export function node() {
  const pinned = join(root, `node_modules/node-${process.platform}-${process.arch}/bin/node`)
  if (existsSync(pinned) && spawnSync(pinned, ['-v']).status === 0) return pinned
  if (major >= SERVER_NODE) return process.execPath
  throw new CannotStart(
    `the server needs Node ${SERVER_NODE}; npm has none for ${process.platform}-${process.arch}, and this is ` +
      `Node ${process.versions.node}. Install Node ${SERVER_NODE} and try again.`,
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    if (major < OLDEST_NODE) {
      throw new CannotStart(`Node ${OLDEST_NODE} or later is needed, this is Node ${process.versions.node}.`)
    }
    const isHelp = process.argv.includes('--help')
    if (!isHelp || read(join(root, 'node_modules/.vigil-stamp')) === '') install()
    if (['up', 'restart'].includes(process.argv[2] ?? '') && !isHelp) {
      buildWeb()
      buildServer()
    }
    console.log(node())
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error
    console.error(`vigil: ${error.message}`)
    process.exitCode = 1
  }
}
