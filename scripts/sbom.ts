/**
 * What is shipped: a CycloneDX list of it in out/sbom.json, and whether an advisory above "moderate" is known of any of it.
 * Run: node scripts/sbom.ts. `--offline` asks nobody.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Fields, fieldsOf } from '@vigil/contract/fields.ts'

const root = join(import.meta.dirname, '..')
const BAD = ['high', 'critical'] as const

const npm = (...args: string[]) =>
  spawnSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1_048_576, timeout: 120_000 })

const bom = npm('sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev')
if (bom.status !== 0) throw new Error(`npm sbom failed: ${bom.stderr}`)
const { bomFormat, components } = fieldsOf(JSON.parse(bom.stdout))
if (bomFormat !== 'CycloneDX' || !Array.isArray(components)) throw new Error('npm sbom wrote no such list')
mkdirSync(join(root, 'out'), { recursive: true })
writeFileSync(join(root, 'out/sbom.json'), bom.stdout)
console.log(`out/sbom.json: ${components.length} packages are shipped.`)

/** How many advisories of each level the registry knows; null where it is not asked, or does not answer. */
function advisories(): Fields | null {
  if (process.argv.includes('--offline')) return null
  const { stdout } = npm('audit', '--omit=dev', '--json')
  try {
    const { metadata } = fieldsOf(JSON.parse(stdout))
    const { vulnerabilities } = fieldsOf(metadata)
    return vulnerabilities === undefined ? null : fieldsOf(vulnerabilities)
  } catch {
    return null
  }
}

const known = advisories()
if (known === null) {
  console.log('The registry was not asked for advisories, or does not tell any.')
  process.exitCode = process.env['AUDIT'] === 'required' ? 1 : 0
} else {
  const bad = BAD.filter((level) => Number(known[level] ?? 0) > 0)
  for (const level of bad)
    console.error(`${Number(known[level])} advisories are ${level}: npm audit --omit=dev`)
  if (bad.length > 0) process.exitCode = 1
  else console.log('No advisory above "moderate" is known of them.')
}
