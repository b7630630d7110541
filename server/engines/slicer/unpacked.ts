import { join } from 'node:path'

/** How Debian calls processors. */
const MACHINES = new Map([
  ['x64', 'x86_64'],
  ['arm64', 'aarch64'],
])
/** Where the system would link one of several makers' libraries to. */
const CHOSEN = ['', '/blas', '/lapack', '/pulseaudio']

/** How PrusaSlicer is called of packages that were unpacked into this folder: their libraries lie there, too. */
export function programIn(folder: string): readonly string[] {
  const machine = `${MACHINES.get(process.arch) ?? process.arch}-linux-gnu`
  const libraries = [`usr/lib/${machine}`, 'usr/lib', `lib/${machine}`].flatMap((one) =>
    CHOSEN.map((part) => join(folder, one) + part),
  )
  return ['env', `LD_LIBRARY_PATH=${libraries.join(':')}`, join(folder, 'usr/bin/prusa-slicer')]
}
