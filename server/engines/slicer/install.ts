import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { runProgram } from '../programs/child.ts'
import { ProgramFailed } from '../programs/port.ts'
import { openSlicer } from './index.ts'
import { proveSlicer } from './proof.ts'
import { programIn } from './unpacked.ts'

interface Server {
  readonly stopping: AbortSignal
  readonly config: Pick<Config, 'SLICER_PROGRAM' | 'SLICER_PROFILES' | 'dataFolder'>
}

/** What an installation is at. */
export const INSTALL_STEPS = ['lists', 'download', 'unpack', 'proof'] as const
export type InstallStep = (typeof INSTALL_STEPS)[number]

interface Installing {
  readonly signal: AbortSignal
  /** How much of it all is done, 0 to 1; never less than before. */
  readonly onProgress: (step: InstallStep, share: number) => void
  /** Whether the system's own packages may be changed: where the server is root, unless said otherwise. */
  readonly asRoot?: boolean
}

/** Why there is still no slicer: keys of sentences in `slicing-server`, with what the program said. */
export class NotInstalled extends Error {
  override readonly name = 'NotInstalled'
  readonly why: 'noApt' | 'aptFailed' | 'noProof' | 'named'
  readonly said: string
  constructor(why: NotInstalled['why'], said: string, options?: ErrorOptions) {
    super(`the slicer was not installed: ${why}${said === '' ? '' : `: ${said}`}`, options)
    this.why = why
    this.said = said
  }
}

const PACKAGE = 'prusa-slicer'
const LIMITS = { timeMs: 20 * 60_000, memoryBytes: 2 * 1_073_741_824, fileBytes: 2 * 1_073_741_824 }
const SAID_CHARS = 300
/** More packages than it needs on an empty system. */
const MOST_PACKAGES = 600

/**
 * Installs PrusaSlicer from Debian's packages, and has it slice a cube: by apt where the server is root, else unpacked into the
 * data folder, where nothing else is touched. Its name. Raises `NotInstalled`; what was there before stays.
 */
export async function installSlicer(server: Server, installing: Installing): Promise<string> {
  if (server.config.SLICER_PROGRAM !== undefined)
    throw new NotInstalled('named', server.config.SLICER_PROGRAM)
  const { signal, onProgress, asRoot = process.getuid?.() === 0 } = installing
  const told: Told = (step, share) => onProgress(step, Math.min(1, share))
  await (asRoot ? installByApt(server, signal, told) : unpack(server, signal, told))
  told('proof', 0.97)
  const name = await openSlicer(server).version()
  if (name === null) throw new NotInstalled('noProof', '')
  return name
}

type Told = Installing['onProgress']

async function installByApt(server: Server, signal: AbortSignal, told: Told): Promise<void> {
  await apt(server, ['update'], signal, (share) => told('lists', share * 0.1))
  const install = ['install', '-y', '--no-install-recommends', PACKAGE]
  await apt(server, install, signal, (share, isUnpacked) =>
    told(isUnpacked ? 'unpack' : 'download', isUnpacked ? 0.5 + share * 0.45 : 0.1 + share * 0.4),
  )
  told('proof', 0.95)
  await proved(server, [PACKAGE], signal)
}

/** Packages go into a folder beside, which takes its place when a cube was sliced with it. */
async function unpack(server: Server, signal: AbortSignal, told: Told): Promise<void> {
  const folder = join(server.config.dataFolder, 'slicer')
  const [fresh, cache] = [`${folder}.new`, `${folder}.packages`]
  const clean = () => Promise.all([fresh, cache].map((one) => rm(one, { recursive: true, force: true })))
  await clean()
  try {
    for (const one of ['lists/partial', 'cache/archives/partial', 'debs'])
      await mkdir(join(cache, one), { recursive: true })
    await mkdir(fresh, { recursive: true })
    await apt(server, [...ownFolders(cache), 'update'], signal, (share) => told('lists', share * 0.1))
    const names = await missing(server, cache, signal)
    const download = [...ownFolders(cache), 'download', ...names]
    const debs = join(cache, 'debs')
    await apt(server, download, signal, (share) => told('download', 0.1 + share * 0.5), debs)
    const files = await readdir(debs)
    for (const [i, file] of files.entries()) {
      await run(server, 'dpkg', ['-x', join(debs, file), fresh], signal)
      told('unpack', 0.6 + ((i + 1) / files.length) * 0.35)
    }
    told('proof', 0.95)
    await proved(server, programIn(fresh), signal)
    await rm(folder, { recursive: true, force: true })
    await rename(fresh, folder)
  } finally {
    await clean()
  }
}

const ownFolders = (cache: string) =>
  [
    `Dir::State::lists=${join(cache, 'lists')}`,
    `Dir::Cache=${join(cache, 'cache')}`,
    'Debug::NoLocking=1',
    'APT::Sandbox::User=',
  ].flatMap((option) => ['-o', option])

/** The packages that apt would install here, each with its version. */
async function missing(server: Server, cache: string, signal: AbortSignal): Promise<string[]> {
  const names: string[] = []
  const args = [...ownFolders(cache), '-s', '--no-install-recommends', 'install', PACKAGE]
  await run(server, 'apt-get', args, signal, (line) => {
    const [, name, version] =
      /^Inst ([a-z0-9][a-z0-9+.:-]{1,99}) (?:\[[^\]]{1,99}\] )?\(([^ )]{1,99}) /.exec(line.slice(0, 500)) ??
      []
    if (name !== undefined && names.length < MOST_PACKAGES) names.push(`${name}=${version}`)
  })
  // It is among the system's packages, though not where it is looked for.
  return names.length > 0 ? names : [PACKAGE]
}

/** What apt says of itself: how much of the download, of the unpacking, in percent. */
const STATUS = /^(dl|pm)status:[^:]{0,200}:(\d{1,3})(?:\.\d{1,9})?:/

async function apt(
  server: Server,
  args: readonly string[],
  signal: AbortSignal,
  onShare: (share: number, isUnpacked: boolean) => void,
  folder?: string,
): Promise<void> {
  const into = folder === undefined ? [] : ['-C', folder]
  const proxies = ['http_proxy', 'https_proxy', 'no_proxy'].flatMap((name) =>
    process.env[name] === undefined ? [] : [`${name}=${process.env[name]}`],
  )
  const all = [...into, ...proxies, 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q']
  await run(server, 'env', [...all, '-o', 'APT::Status-Fd=1', ...args], signal, (line) => {
    const [, of, percent] = STATUS.exec(line.slice(0, 500)) ?? []
    if (of !== undefined) onShare(Number(percent) / 100, of === 'pm')
  })
}

async function run(
  server: Server,
  program: string,
  args: readonly string[],
  signal: AbortSignal,
  onLine?: (line: string) => void,
): Promise<void> {
  try {
    await runProgram(server, program, { args, limits: LIMITS, signal, ...(onLine ? { onLine } : {}) })
  } catch (error) {
    if (!(error instanceof ProgramFailed) || error.why === 'stopped') throw error
    const said = error.said.split('\n').find((line) => line.startsWith('E: ')) ?? error.message
    const why = error.why === 'missing' ? 'noApt' : 'aptFailed'
    throw new NotInstalled(why, said.slice(0, SAID_CHARS), { cause: error })
  }
}

async function proved(server: Server, program: readonly string[], signal: AbortSignal): Promise<void> {
  try {
    await proveSlicer(server, program, signal)
  } catch (error) {
    if (signal.aborted || server.stopping.aborted) throw error
    throw new NotInstalled('noProof', error instanceof Error ? error.message.slice(0, SAID_CHARS) : '', {
      cause: error,
    })
  }
}
