import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const WHOLE = '@mantine/core/styles.layer.css'
const FOLDER = fileURLToPath(new URL('styles', import.meta.resolve(WHOLE)))
const read = (name: string) => readFileSync(join(FOLDER, `${name}.layer.css`), 'utf8')

/** What stands for every component; the other files of the folder are one for each. */
const COMMON = ['baseline', 'default-css-variables', 'global']
const OPENING = '@layer mantine {'

/** The layer of each component, in the order in which Mantine's whole sheet has them. */
export function layers(): string[] {
  const whole = readFileSync(fileURLToPath(import.meta.resolve(WHOLE)), 'utf8')
  const at = (name: string) => whole.indexOf(read(name).slice(OPENING.length, 200).trim())
  const names = readdirSync(FOLDER)
    .filter((file) => file.endsWith('.layer.css'))
    .map((file) => file.replace('.layer.css', ''))
  return names.toSorted((one, other) => at(one) - at(other)).map((name) => `mantine.${name}`)
}

/**
 * Instead of Mantine's whole sheet those of the components that are used, each in the file of its component. As these
 * come in any order, each stands in a layer of its own, and the layers in the order of the whole sheet.
 */
export function mantineStyles(): Plugin {
  return {
    name: 'vigil-mantine-styles',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      if (id.endsWith(`/${WHOLE}`)) return [`@layer ${layers().join()};`, ...COMMON.map(read)].join('\n')
      const [, name] = /\/@mantine\/core\/styles\/(\w+)\.layer\.css$/.exec(id) ?? []
      return name ? read(name).replace(OPENING, `@layer mantine.${name} {`) : null
    },
    transform(code, id) {
      const [, name] = /\/@mantine\/core\/esm\/.*\/(\w+)\.module\.mjs$/.exec(id) ?? []
      if (!name) return null
      return { code: `import '@mantine/core/styles/${name}.layer.css'\n${code}`, map: null }
    },
  }
}
