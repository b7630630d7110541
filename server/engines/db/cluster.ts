import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
} from 'node:fs'
import { readdirSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  type Binaries,
  CannotRunPostgres,
  chooseRunAs,
  type RunAs,
  findBinaries,
  giveTo,
} from './binaries.ts'
import { codeOf, textOf } from '../../lib/thrown.ts'

const SUPERUSER = 'vigil'
const SOCKET_NAME = '.s.PGSQL.5432'
const LONGEST_SOCKET_PATH = 107
const LOG_LIMIT = 10 * 1024 * 1024

/** One PostgreSQL data folder and all that is needed to start it. */
export interface Cluster {
  readonly folder: string
  readonly runFolder: string
  readonly logFile: string
  readonly binaries: Binaries
  readonly runAs: RunAs
  readonly settings: Readonly<Record<string, string>>
}

/** Makes `pg/`, `run/` and `log/` in the data folder, with initdb the first time. Refuses another major. */
export async function prepareCluster(
  dataFolder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Cluster> {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
  const folder = join(dataFolder, 'pg')
  for (const name of ['log', 'run']) {
    mkdirSync(join(dataFolder, name), { recursive: true, mode: 0o700 })
    accessSync(join(dataFolder, name), constants.W_OK)
  }
  const binaries = await findBinaries(dataFolder)
  const runAs = chooseRunAs(dataFolder, binaries)
  const found = majorOf(folder)
  if (found === null) await initialize(folder, binaries, runAs)
  else if (found !== binaries.major) throw new CannotRunPostgres(otherMajor(folder, found, binaries.major))
  giveTo(runAs.owner, folder)
  close(folder)
  const runFolder = socketFolder(dataFolder)
  giveTo(runAs.owner, runFolder)
  close(runFolder)
  return { folder, runFolder, logFile: join(dataFolder, 'log', 'postgres.log'), binaries, runAs, settings }
}

/** Copies and restored backups come with other modes; PostgreSQL refuses a folder that others may enter. */
function close(folder: string): void {
  if ((statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700)
}

function otherMajor(folder: string, found: number, wanted: number): string {
  return (
    `${folder} was written by PostgreSQL ${found}, this version of Vigil brings PostgreSQL ${wanted}, ` +
    'and one cannot open the folder of another. Nothing was changed. Go back to the version of Vigil that wrote it, ' +
    'or restore a backup into a new data folder (docs/self-hosting.md, Upgrade).'
  )
}

function majorOf(folder: string): number | null {
  try {
    return Number.parseInt(readFileSync(join(folder, 'PG_VERSION'), 'utf8'), 10)
  } catch (error) {
    const code = codeOf(error)
    if (code !== 'ENOENT') throw new CannotRunPostgres(`Cannot read ${folder}: ${textOf(error)}`)
  }
  if (statSync(folder, { throwIfNoEntry: false }) && readdirSync(folder).length > 0) {
    throw new CannotRunPostgres(`${folder} is not empty, but is no PostgreSQL data folder. Move it away.`)
  }
  return null
}

/** Built aside and moved into place whole, so that a crash or a second starter never leaves half a folder. */
async function initialize(folder: string, binaries: Binaries, runAs: RunAs): Promise<void> {
  for (const left of readdirSync(join(folder, '..'))) {
    const pid = /^pg\.new-(\d+)$/.exec(left)?.[1]
    if (pid && !isAlive(Number(pid))) rmSync(join(folder, '..', left), { recursive: true })
  }
  const fresh = `${folder}.new-${process.pid}`
  mkdirSync(fresh, { mode: 0o700 })
  giveTo(runAs.owner, fresh)
  const [command, ...args] = [
    ...runAs.prefix,
    join(binaries.folder, 'bin', 'initdb'),
    `--pgdata=${fresh}`,
    `--username=${SUPERUSER}`,
    '--auth-local=trust',
    '--auth-host=reject',
    '--data-checksums',
    // as safe as an fsync of each of 1,000 files, and 3 s sooner done
    '--sync-method=syncfs',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ]
  try {
    await promisify(execFile)(command, args, { env: binaries.env })
    renameSync(fresh, folder)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    const code = codeOf(error)
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return
    const said = (error as { stderr?: string }).stderr?.trim()
    throw new CannotRunPostgres(`Cannot create the database in ${folder}: ${said || textOf(error)}`)
  }
}

/** `run/` of the data folder, or a short private folder where that path is too long for a socket. */
function socketFolder(dataFolder: string): string {
  const usual = join(dataFolder, 'run')
  const running = readLock(join(dataFolder, 'pg'))
  if (running?.socketFolder && running.socketFolder !== usual && isOurs(running.socketFolder)) {
    return running.socketFolder
  }
  if (Buffer.byteLength(join(usual, SOCKET_NAME)) <= LONGEST_SOCKET_PATH) return usual
  const name = createHash('sha256').update(dataFolder).digest('hex').slice(0, 16)
  const short = join(tmpdir(), `vigil-${name}`)
  mkdirSync(short, { recursive: true, mode: 0o700 })
  if (!isOurs(short))
    throw new CannotRunPostgres(`${short} belongs to somebody else. Remove it, or set TMPDIR.`)
  return short
}

function isOurs(folder: string): boolean {
  const stat = lstatSync(folder, { throwIfNoEntry: false })
  if (!stat?.isDirectory() || (stat.mode & 0o077) !== 0) return false
  const self = process.getuid?.()
  return stat.uid === self || (self === 0 && stat.uid === 65534)
}

const SETTINGS = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '60',
  shared_buffers: '32MB',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  max_wal_size: '256MB',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  wal_level: 'minimal',
  io_method: 'sync',
  recovery_init_sync_method: 'syncfs',
  huge_pages: 'off',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_line_prefix: '%m [%p] ',
  // without the row that was refused, tokens among it
  log_error_verbosity: 'terse',
}

/** Starts PostgreSQL on its own feet: it outlives this process. Resolves when it has ended, with its exit code. */
export function launch(cluster: Cluster): { pid: number | undefined; ended: Promise<number | null> } {
  rotateLog(cluster.logFile)
  const settings = Object.entries({
    ...SETTINGS,
    ...cluster.settings,
    unix_socket_directories: cluster.runFolder,
  })
  const [command = '', ...args] = [
    ...cluster.runAs.prefix,
    join(cluster.binaries.folder, 'bin', 'postgres'),
    '-D',
    cluster.folder,
    ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
  const log = openSync(cluster.logFile, 'a', 0o600)
  const child = spawn(command, args, {
    cwd: cluster.folder,
    env: { ...cluster.binaries.env, ...recycledPid(cluster.folder) },
    detached: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  child.unref()
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null))
    child.once('exit', (code) => resolve(code))
  })
  return { pid: child.pid, ended }
}

/** Keeps the log below twice its limit; PostgreSQL appends, so the running file may be cut. */
export function rotateLog(logFile: string): void {
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0
  if (size < LOG_LIMIT) return
  copyFileSync(logFile, `${logFile}.1`)
  truncateSync(logFile)
}

/**
 * In a container, after a crash, the pid in the lock file may belong to an innocent process, and PostgreSQL
 * would not start; so it is told that this one does not count (stack 3, rule 4). The lock file is never removed.
 */
function recycledPid(folder: string): NodeJS.ProcessEnv {
  const lock = readLock(folder)
  return lock && !runningPid(folder) ? { PG_GRANDPARENT_PID: String(lock.pid) } : {}
}

/** The pid of the PostgreSQL that runs on this folder, by its lock file and its working directory. */
export function runningPid(folder: string): number | null {
  const lock = readLock(folder)
  if (!lock) return null
  try {
    return readlinkSync(`/proc/${lock.pid}/cwd`) === folder ? lock.pid : null
  } catch (error) {
    return codeOf(error) === 'EACCES' ? lock.pid : null
  }
}

function readLock(folder: string): { pid: number; socketFolder: string } | null {
  try {
    const lines = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')
    const pid = Math.abs(Number.parseInt(lines[0] ?? '', 10))
    return pid > 0 ? { pid, socketFolder: lines[4] ?? '' } : null
  } catch {
    return null
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** How a client reaches a database of this cluster. */
export function urlOf(cluster: Cluster, database: string): string {
  return `postgres://${SUPERUSER}@localhost/${database}?host=${encodeURIComponent(cluster.runFolder)}`
}
