/**
 * Completes package-lock.json after `npm install`. Some registries lack the binaries of other platforms that a
 * package names as optional; npm then leaves them out of the lock, and `npm ci` refuses the lock everywhere.
 * Run: node scripts/complete-lock.ts
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const SYSTEMS = [
  'android',
  'darwin',
  'freebsd',
  'linux',
  'openharmony',
  'win32',
  'aix',
  'netbsd',
  'openbsd',
  'sunos',
]
const PROCESSORS = ['arm64', 'arm', 'x64', 'ia32', 'ppc64', 'riscv64', 's390x', 'loong64']

/** What an entry of the lock says, as far as it matters here. */
interface Entry {
  dev?: boolean
  license?: string
  engines?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

type Packages = Record<string, Entry>

interface Missing {
  name: string
  version: string
  parent: Entry
}

/** Optional dependencies with an exact version that the lock has no entry for. */
export function missingFrom(packages: Packages): Missing[] {
  return Object.entries(packages).flatMap(([path, parent]) =>
    Object.entries(parent.optionalDependencies ?? {})
      .filter(([name, version]) => /^\d/.test(version) && !isResolved(packages, path, name))
      .map(([name, version]) => ({ name, version, parent })),
  )
}

function isResolved(packages: Packages, path: string, name: string): boolean {
  for (let base = path; base !== ''; base = base.slice(0, Math.max(0, base.lastIndexOf('/node_modules/')))) {
    if (packages[`${base}/node_modules/${name}`]) return true
  }
  return packages[`node_modules/${name}`] !== undefined
}

function entryFor({ name, version, parent }: Missing): object {
  const last = name.split('/').at(-1) ?? name
  const os = SYSTEMS.find((one) => last.includes(one))
  const cpu = PROCESSORS.find((one) => last.includes(one))
  const libc = os === 'linux' && (last.includes('musl') ? 'musl' : last.includes('gnu') ? 'glibc' : null)
  if (!os || !cpu) throw new Error(`cannot tell the platform of ${name}`)
  return {
    version,
    resolved: `https://registry.npmjs.org/${name}/-/${last}-${version}.tgz`,
    cpu: [cpu],
    ...(parent.dev && { dev: true }),
    ...(libc && { libc: [libc] }),
    license: parent.license,
    optional: true,
    os: [os],
    engines: parent.engines,
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = join(import.meta.dirname, '../package-lock.json')
  const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Packages }
  const missing = missingFrom(lock.packages)
  for (const one of missing) {
    const key = `node_modules/${one.name}`
    const entries = Object.entries(lock.packages)
    const at = entries.findIndex(
      ([other]) => other.startsWith('node_modules/') && other.localeCompare(key, 'en') > 0,
    )
    entries.splice(at < 0 ? entries.length : at, 0, [key, entryFor(one)])
    lock.packages = Object.fromEntries(entries)
  }
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
  console.log(`${missing.length} entries added`)
}
