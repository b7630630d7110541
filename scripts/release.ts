/**
 * One command makes a release: the package that `npx` starts, checksums, the list of what is in it (CycloneDX), and its notes.
 * Run: npm run release (or: node scripts/release.ts FOLDER); it lands in out/release.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { root } from './release/files.ts'
import { manifest } from './release/manifest.ts'
import { releaseNotes, stage } from './release/stage.ts'

const folder = resolve(process.argv[2] ?? join(root, 'out/release'))
const version = String(manifest().version)
const name = `vigil-${version}.tgz`

function call(command: string, args: string[], cwd = root): void {
  const { status } = spawnSync(command, args, { cwd, stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new Error(`${command} ${args[0]} failed (see above)`)
}

// Packages and pages as they would be started from here.
call(process.execPath, ['scripts/bootstrap.mjs', 'up'])
mkdirSync(folder, { recursive: true })
const staged = join(folder, 'stage')
stage(staged)
try {
  call('npm', ['pack', '--silent', '--pack-destination', folder], staged)
} finally {
  rmSync(staged, { recursive: true, force: true })
}
call(process.execPath, ['scripts/sbom.ts', '--offline'])
copyFileSync(join(root, 'out/sbom.json'), join(folder, 'sbom.json'))
writeFileSync(join(folder, 'NOTES.md'), notes())
const sums = [name, 'sbom.json', 'NOTES.md'].map(
  (file) =>
    `${createHash('sha256')
      .update(readFileSync(join(folder, file)))
      .digest('hex')}  ${file}\n`,
)
writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
console.log(`${folder}: ${name}, SHA256SUMS, sbom.json, NOTES.md`)

function notes(): string {
  return (
    `# Vigil ${version}\n\nTo install: \`mkdir vigil && cd vigil && npm install ./${name} && npx vigil up\`. To update: ` +
    `\`npx vigil update ./${name}\`.\nBefore either: \`sha256sum --check SHA256SUMS\`. What it consists of stands in sbom.json.\n\n` +
    `${releaseNotes(version)}\n`
  )
}
