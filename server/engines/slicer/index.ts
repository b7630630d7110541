import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../../config.ts'
import type { Engine } from '../../lib/slicing/catalogue.ts'
import { orcaVersion, sliceWithOrca } from './orca.ts'
import { prusaVersion, sliceWithPrusa, stlWithPrusa } from './prusa.ts'
import type { SlicerEngine } from './port.ts'
import { programIn } from './unpacked.ts'

export { SliceFailed } from './port.ts'

interface Server {
  readonly stopping: AbortSignal
  readonly config: Pick<Config, 'SLICER_PROGRAM' | 'SLICER_PROFILES' | 'dataFolder'>
}
interface ServerWithOrca extends Server {
  readonly config: Server['config'] & Pick<Config, 'ORCA_SLICER_PROGRAM' | 'ORCA_SLICER_PROFILES'>
}

/** Where Debian's package puts its profiles. */
const PROFILES = '/usr/share/PrusaSlicer/profiles'

/** The PrusaSlicer of this machine: the one that is named, else the one in the data folder, else the system's. */
export function openSlicer(server: Server): SlicerEngine {
  const { SLICER_PROGRAM: named, SLICER_PROFILES: profiles, dataFolder } = server.config
  const folder = join(dataFolder, 'slicer')
  const isOwn = named === undefined && existsSync(join(folder, 'usr/bin/prusa-slicer'))
  const program = isOwn ? programIn(folder) : [named ?? 'prusa-slicer']
  return {
    profiles: profiles ?? (isOwn ? join(folder, 'usr/share/PrusaSlicer/profiles') : PROFILES),
    version: () => prusaVersion(server, program),
    slice: (work, options) => sliceWithPrusa(server, program, work, options),
    stlOf: (work, signal) => stlWithPrusa(server, program, work, signal),
  }
}

/** The slicer that these profiles are for; null for OrcaSlicer where no setting names it. */
export function slicerOf(server: ServerWithOrca, engine: Engine): SlicerEngine | null {
  if (engine === 'prusa') return openSlicer(server)
  const { ORCA_SLICER_PROGRAM: program, ORCA_SLICER_PROFILES: profiles } = server.config
  if (program === undefined) return null
  return {
    // As they lie in its own archive.
    profiles: profiles ?? join(dirname(program), '../resources/profiles'),
    version: () => orcaVersion(server, program),
    slice: (work, options) => sliceWithOrca(server, program, work, options),
  }
}
