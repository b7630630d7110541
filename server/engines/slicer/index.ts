import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { prusaVersion, sliceWithPrusa } from './prusa.ts'
import type { SlicerEngine } from './port.ts'
import { programIn } from './unpacked.ts'

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
  const folder = join(dataFolder, 'slicer')
  const isOwn = named === undefined && existsSync(join(folder, 'usr/bin/prusa-slicer'))
  const program = isOwn ? programIn(folder) : [named ?? 'prusa-slicer']
  return {
    profiles: profiles ?? (isOwn ? join(folder, 'usr/share/PrusaSlicer/profiles') : PROFILES),
    version: () => prusaVersion(server, program),
    slice: (work, options) => sliceWithPrusa(server, program, work, options),
  }
}
