import { existsSync } from 'node:fs'
import { rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, readConfig } from '../config.ts'
import { dropCopy, sizeOf } from '../engines/db/before-update.ts'
import { backupFolder, backupName, writeBackup } from '../engines/db/backup.ts'
import { pidFileOf } from '../supervisor.ts'
import { AlreadyRunning, takePidFile } from '../supervisor/pid-file.ts'
import { readJournal, removeJournal, settleUpdate, type UpdateJournal } from '../supervisor/update-journal.ts'
import { writeJournal } from '../supervisor/update-journal.ts'
import { sayWhy } from './backup.ts'
import {
  type Command,
  CommandFailed,
  FAILED,
  loadConfig,
  OK,
  print,
  readArgs,
  UsageError,
  wholeNumber,
} from './command.ts'
import { commandLog, withDatabase } from './context.ts'
import { runningPid } from './doctor/network.ts'
import { openCheckout } from './update/checkout.ts'
import type { Next, Program } from './update/program.ts'
import { openRelease } from './update/release.ts'
import { endServer, healthOf, settingsOf, whyNotSettled, whyNotWell } from './update/running.ts'
import { tryOut } from './update/trial.ts'

const help = `Brings Vigil to another version, and back by itself when that does not come up.

  ./vigil update [VERSION] [--wait SECONDS] [--json]
  ./vigil update --back [--json]

  VERSION   of a checkout: a tag or commit (what its branch has now unless given); of a package: the file of the new one
  --wait    how long the new version has to be well, 180 s unless given
  --back    back to what was before an update that was stopped half-way

While the server goes on working the new version is made ready beside it, the database is backed up, and the new version is
tried on a copy: all migrations on your rows. Then the program is exchanged, the database copied between the two servers, and
the new one watched. When it is not well in time, program and database are put back as they were. Called again after it was
stopped, it ends what it had begun. docs/self-hosting.md says more.`

const OPTIONS = {
  wait: { type: 'string' },
  back: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const

const ROOT = join(import.meta.dirname, '../..')
const MB = 1024 ** 2
/** Packages and pages of another version. */
const PROGRAM_BYTES = 1_500 * MB
/** Beside the database twice (its copy, and the trial), and its backup. */
const RESERVE_BYTES = 512 * MB
/** What serves gets so long to leave by itself before it is ended. */
const LEAVES_MS = 45_000
const BACK_MS = 300_000

export const update: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArgs(args, OPTIONS)
    const [named, ...rest] = positionals
    if (rest.length > 0 || (values.back && named !== undefined))
      throw new UsageError('update takes one version, or --back.')
    const waitMs = wholeNumber('wait', values.wait, { min: 10, max: 3_600, otherwise: 180 }) * 1_000
    const env = settingsHere()
    const config = loadConfig(env)
    requireOneFolder(config)
    const giveBack = takeTurn(config)
    try {
      const say = values.json ? () => undefined : (line: string) => print(line)
      const program = await programHere()
      const begun = readJournal(config)
      const job = { config, env, program, say, waitMs }
      const done = values.back
        ? await goBack(job, begun, 'you asked for it')
        : begun === null
          ? await begin(job, named).catch(sayWhy)
          : await resume(job, begun)
      print(values.json ? done : done.words)
      return done.ok ? OK : FAILED
    } finally {
      giveBack()
    }
  },
}

interface Job {
  readonly config: Config
  readonly env: NodeJS.ProcessEnv
  readonly program: Program
  readonly say: (line: string) => void
  readonly waitMs: number
}

interface Done {
  readonly ok: boolean
  readonly from: string
  readonly to: string
  readonly backup?: string
  readonly words: string
}

/** The settings that the server was started with, as those of whoever updates it may be others. */
function settingsHere(): NodeJS.ProcessEnv {
  const { dataFolder } = readConfig(process.env)
  const keeper = runningPid({ dataFolder })
  return { ...process.env, ...(keeper === null ? {} : settingsOf(keeper)), VIGIL_DATA: dataFolder }
}

/** One at a time; what another one had begun and has left is ended by the next. */
function takeTurn({ dataFolder }: Config): () => void {
  try {
    return takePidFile(join(dataFolder, 'run/update.pid'))
  } catch (error) {
    if (!(error instanceof AlreadyRunning)) throw error
    throw new CommandFailed(`An update runs already (process ${error.pid}): wait for what it says.`)
  }
}

function requireOneFolder({ IN_CONTAINER, DATABASE_URL }: Config): void {
  if (IN_CONTAINER)
    throw new CommandFailed(
      'An image is updated by a newer image: build it, then docker compose up -d (docs/self-hosting.md, Docker).',
    )
  if (DATABASE_URL !== undefined)
    throw new CommandFailed(
      'The database is one of your own (DATABASE_URL), and other nodes may use it: back it up there, and update node by node ' +
        '(docs/self-hosting.md, More than one node).',
    )
}

async function programHere(): Promise<Program> {
  if (existsSync(join(ROOT, '.git'))) return await openCheckout(ROOT)
  if (existsSync(join(ROOT, 'bin/node.mjs'))) return openRelease(ROOT)
  throw new CommandFailed(
    `${ROOT} is neither a checkout of the repository nor a package: put the new version in its place.`,
  )
}

function requireRunning(config: Config): number {
  const keeper = runningPid(config)
  if (keeper === null)
    throw new CommandFailed('Start Vigil first: an update watches whether the new version comes up.')
  return keeper
}

/** Makes ready, backs up, tries, and exchanges. */
async function begin(job: Job, named: string | undefined): Promise<Done> {
  const { config, program, say } = job
  requireRunning(config)
  const health = await healthOf(config)
  if (health.why !== null)
    throw new CommandFailed(
      `Vigil is not well as it is, so nothing was changed: ${health.why}. See ./vigil doctor`,
    )
  await requireRoom(config)
  say(`Making the new version ready beside ${program.label} …`)
  const next = await program.prepare(named)
  if (next === null) {
    const words = `${program.label} is that version already.`
    return { ok: true, from: program.label, to: program.label, words }
  }
  say('Backing up the database …')
  const file = backupName(backupFolder(config.dataFolder), new Date())
  await withDatabase(config, (url, signal) => writeBackup({ url, file, version: config.version, signal }))
  say(`Trying ${next.label} on a copy …`)
  await tryOut(next, file, job)
  return { ...(await exchange(job, next)), backup: file }
}

async function exchange(job: Job, next: Next): Promise<Done> {
  const { config, program, say } = job
  const keeper = requireRunning(config)
  const { label: from } = program
  const journal: UpdateJournal = {
    phase: 'switching',
    from,
    to: next.label,
    at: Date.now(),
    program: next.swapped,
  }
  // A copy that an earlier one left is not put back for this one.
  await withDatabase(config, dropCopy)
  say(`Changing from ${from} to ${next.label} …`)
  writeJournal(config, journal)
  try {
    await program.swap(next)
  } catch (error) {
    await program.swapBack(next.swapped)
    removeJournal(config)
    throw error
  }
  process.kill(keeper, 'SIGUSR2')
  return await end(job, journal)
}

/** Ends what another one had begun. */
async function resume(job: Job, journal: UpdateJournal): Promise<Done> {
  const { config, program } = job
  if (journal.phase === 'back') return await goBack(job, journal, 'it was begun before')
  // The rows are the new version's where the program is not, or the program is half of each.
  if (program.label !== journal.to)
    return await goBack(job, journal, 'it was stopped while the program was exchanged')
  // It may have been stopped before the keeper was told.
  if (journal.phase === 'switching') process.kill(requireRunning(config), 'SIGUSR2')
  return await end(job, journal)
}

/** Watches what was exchanged, and keeps it or goes back. */
async function end(job: Job, journal: UpdateJournal): Promise<Done> {
  const { config, say, waitMs } = job
  const { from, to, at } = journal
  requireRunning(config)
  say(`Watching ${to} …`)
  const why =
    (await whyNotSettled(config, 'switching')) ?? (await whyNotWell(config, { after: at, forMs: waitMs }))
  if (why !== null) return await goBack(job, readJournal(config) ?? journal, why)
  // First what says that it goes on: without its copy nothing goes back.
  removeJournal(config)
  await withDatabase(config, dropCopy)
  for (const rest of [journal.program.before, journal.program.next])
    await rm(rest, { recursive: true, force: true })
  return { ok: true, from, to, words: `Vigil is ${to} now, and well. It was ${from}.` }
}

/** Puts program and database back, and waits until what was before is there again. */
async function goBack(job: Job, journal: UpdateJournal | null, why: string): Promise<Done> {
  const { config, program, say } = job
  if (journal === null)
    throw new CommandFailed('No update was stopped half-way: there is nothing to go back from.')
  const { from, to } = journal
  say(`Going back to ${from}: ${why}.`)
  await program.swapBack(journal.program)
  writeJournal(config, { ...journal, phase: 'back' })
  const stillNot = await restart(config)
  if (stillNot !== null)
    throw new CommandFailed(
      `Vigil did not become ${to} (${why}), and ${from} does not come up again: ${stillNot}. The backup of before is in ` +
        `${backupFolder(config.dataFolder)} (docs/self-hosting.md, Restore).`,
    )
  const words = `Vigil is ${from} again, with its rows as they were: ${to} did not come up (${why}).`
  return { ok: false, from, to, words }
}

/** Has the keeper begin the old server; without one the database is put back here. Null when all is well. */
async function restart(config: Config): Promise<string | null> {
  const keeper = runningPid(config)
  if (keeper === null) {
    const giveBack = takePidFile(pidFileOf(config))
    try {
      const done = await withDatabase(config, (url) => settleUpdate(config, url, commandLog(config)))
      return done ? null : 'its database cannot be put back'
    } finally {
      giveBack()
    }
  }
  const after = Date.now()
  process.kill(keeper, 'SIGUSR2')
  if ((await whyNotWell(config, { after, forMs: LEAVES_MS, steadyMs: 1_000 })) === null) return null
  endServer(keeper)
  return await whyNotWell(config, { after, forMs: BACK_MS, steadyMs: 1_000 })
}

/** On the disk of the data for the database thrice, on that of the program for another one. Raises `CommandFailed`. */
async function requireRoom(config: Config): Promise<void> {
  const bytes = await withDatabase(config, sizeOf)
  for (const [folder, needed] of [
    [config.dataFolder, 3 * bytes + RESERVE_BYTES],
    [ROOT, PROGRAM_BYTES],
  ] as const) {
    const { bavail, bsize } = await statfs(folder)
    if (bavail * bsize >= needed) continue
    throw new CommandFailed(
      `There is too little room at ${folder}: an update needs ${Math.ceil(needed / MB)} MB, and ` +
        `${Math.floor((bavail * bsize) / MB)} MB are free. Nothing was changed.`,
    )
  }
}
