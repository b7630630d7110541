import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { codeOf } from '../lib/thrown.ts'

/** Another process holds the data folder. */
export class AlreadyRunning extends Error {
  override readonly name = 'AlreadyRunning'
  readonly pid: number
  constructor(pid: number) {
    super(`Vigil already runs on this data folder (process ${pid}). Stop it first, or use ./vigil restart.`)
    this.pid = pid
  }
}

/** Takes the file for this process; returns what gives it back. A file left by a dead process does not count. */
export function takePidFile(path: string): () => void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const mine = identity(process.pid)
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, mine, { mode: 0o600 })
  try {
    while (!tryLink(draft, path)) {
      const holder = readPidFile(path)
      if (holder !== null) throw new AlreadyRunning(holder)
      discardStale(path)
    }
  } finally {
    rmSync(draft, { force: true })
  }
  return () => {
    if (read(path) === mine) rmSync(path, { force: true })
  }
}

/** The living process that holds the file, or null. */
export function readPidFile(path: string): number | null {
  const content = read(path)
  const pid = Number.parseInt(content, 10)
  return pid > 0 && identity(pid) === content ? pid : null
}

/** Moved aside first, so that of two starters only one removes the old file and none removes a new one. */
function discardStale(path: string): void {
  const aside = `${path}.stale-${process.pid}`
  try {
    renameSync(path, aside)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    throw error
  }
  if (readPidFile(aside) !== null) tryLink(aside, path)
  rmSync(aside, { force: true })
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** A pid alone may come back with another program; with its start time it does not. */
function identity(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? '' : `${pid}\n${fields[18]}\n`
  } catch {
    return isAlive(pid) ? `${pid}\n` : ''
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}
