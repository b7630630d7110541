/** Lays the package of a release into a folder. */
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fieldsOf } from '@vigil/contract/fields.ts'
import { builtFolder } from '../../server/built.mjs'
import { codeOf, packedFiles, root } from './files.ts'
import { manifest, ours } from './manifest.ts'

/** What is text and may hold a type is read, all else copied. */
export function stage(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  for (const { from, to } of packedFiles()) {
    const target = join(folder, to)
    mkdirSync(dirname(target), { recursive: true })
    if (from.endsWith('.ts')) writeFileSync(target, codeOf(from))
    else cpSync(join(root, from), target)
  }
  cpSync(join(root, 'web/dist'), join(folder, 'web/dist'), { recursive: true })
  cpSync(join(import.meta.dirname, 'bin'), join(folder, 'bin'), { recursive: true })
  chmodSync(join(folder, 'bin/vigil'), 0o755)
  bundleInference(folder)
  write(join(folder, 'package.json'), manifest())
  const build = [join(root, 'scripts/build-server.mjs'), builtFolder(folder), folder]
  if (spawnSync(process.execPath, build, { stdio: ['ignore', 2, 2] }).status !== 0)
    throw new Error('the server was not built (see above)')
}

const write = (file: string, value: object) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)

/** The engine for the two kinds of machines that Vigil runs on, without what it does when it is installed. */
function bundleInference(folder: string): void {
  const [engine, common] = ['node_modules/onnxruntime-node', 'node_modules/onnxruntime-common']
  const isWanted = (path: string) => !/\/(darwin|win32|script|lib|__commit\.txt)(\/|$)/.test(path)
  cpSync(join(root, engine), join(folder, engine), {
    recursive: true,
    filter: (from) => isWanted(from.slice(root.length + engine.length)),
  })
  cpSync(join(root, common), join(folder, common), { recursive: true })
  const { name, version, license, main, os } = ours(engine)
  const { 'onnxruntime-common': needed } = fieldsOf(ours(engine)['dependencies'])
  const plain = { name, version, license, main, os, dependencies: { 'onnxruntime-common': needed } }
  write(join(folder, engine, 'package.json'), plain)
}

/** What `CHANGELOG.md` says of this version. */
export function releaseNotes(version: string): string {
  const [, ...sections] = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^## /m)
  const found = sections.find((one) => one.startsWith(`${version} `) || one.startsWith(`${version}\n`))
  if (found === undefined) throw new Error(`CHANGELOG.md has no section of ${version}`)
  const [, ...lines] = found.split('\n')
  return lines.join('\n').trim()
}
