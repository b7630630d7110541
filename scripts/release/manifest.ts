/** The package.json of a release: one package, with the packages that the server needs. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fieldsOf } from '@vigil/contract/fields.ts'
import { root } from './files.ts'

/**
 * What lies in the package itself: our own two, and the inference engine, whose script of installing would fetch 300 MB
 * for graphics cards from elsewhere.
 */
export const BUNDLED = ['@vigil/contract', '@vigil/simulator', 'onnxruntime-node', 'onnxruntime-common']

const read = (name: string) => fieldsOf(JSON.parse(readFileSync(join(root, name, 'package.json'), 'utf8')))

/** A package.json of the repository. */
export const ours = (name = ''): ReturnType<typeof fieldsOf> => read(name)

/** That of the package. */
export function manifest() {
  const whole = read('')
  const of = (name: string, kind: string) => fieldsOf(read(name)[kind])
  const { version: common } = read('node_modules/onnxruntime-common')
  const needed = { ...of('contract', 'dependencies'), ...of('simulator', 'dependencies') }
  return {
    name: 'vigil',
    version: whole['version'],
    description: whole['description'],
    license: whole['license'],
    private: true,
    type: 'module',
    bin: { vigil: 'bin/vigil' },
    engines: whole['engines'],
    os: ['linux'],
    cpu: ['x64', 'arm64'],
    dependencies: { ...needed, ...of('server', 'dependencies'), 'onnxruntime-common': common },
    optionalDependencies: {
      ...of('server', 'optionalDependencies'),
      ...fieldsOf(whole['optionalDependencies']),
    },
    bundleDependencies: BUNDLED,
  }
}
