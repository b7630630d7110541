import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { prusaVersion, sliceWithPrusa } from './prusa.ts'
import type { SlicerEngine } from './port.ts'

export { SliceFailed } from './port.ts'

interface Server {
  readonly stopping: AbortSignal
  readonly config: Pick<Config, 'SLICER_PROGRAM' | 'SLICER_PROFILES' | 'dataFolder'>
}

/** Where Debian's package puts its profiles. */
const PROFILES = '/usr/share/PrusaSlicer/profiles'

/** The slicer of this machine: the one that is named, else the one in the data folder, else the system's. */
export function openSlicer(server: Server): SlicerEngine {
  const { SLICER_PROGRAM: named, SLICER_PROFILES: profiles, dataFolder } = server.config
  const own = join(dataFolder, 'slicer', 'usr')
  const program = named !== undefined ? [named] : (ofFolder(own) ?? ['prusa-slicer'])
  const isOwn = named === undefined && program.length > 1
  return {
    profiles: profiles ?? (isOwn ? join(own, 'share/PrusaSlicer/profiles') : PROFILES),
    version: () => prusaVersion(server, program),
    slice: (work, options) => sliceWithPrusa(server, program, work, options),
  }
}

/** How Debian calls processors. */
const MACHINES = new Map([
  ['x64', 'x86_64'],
  ['arm64', 'aarch64'],
])

/** Packages that were unpacked into a folder: their libraries lie there, too. */
function ofFolder(usr: string): readonly string[] | null {
  const program = join(usr, 'bin', 'prusa-slicer')
  if (!existsSync(program)) return null
  const machine = MACHINES.get(process.arch) ?? process.arch
  const libraries = [`lib/${machine}-linux-gnu`, 'lib', `../lib/${machine}-linux-gnu`].map((one) =>
    join(usr, one),
  )
  return ['env', `LD_LIBRARY_PATH=${libraries.join(':')}`, program]
}
