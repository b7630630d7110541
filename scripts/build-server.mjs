// `node scripts/build-server.mjs FOLDER [ROOT]`: writes `server/child.ts` and all that it reads of ours, below ROOT (this checkout, or a
// package of a release), into few files instead of a thousand (docs/decisions/0025-a-built-server.md). Packages
// stay where they are. FOLDER stands three levels below ROOT.
import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { SOURCES } from '../server/built.mjs'

const [folder = '', root = dirname(dirname(fileURLToPath(import.meta.url)))] = process.argv.slice(2)
const [child = ''] = ['server/child.ts', 'server/child.js'].map((name) => join(root, name)).filter(existsSync)
const AT = '__placeOf'

/** A module goes on to say where its source stands: there lie its texts, models and programs. */
const places = {
  name: 'places',
  /** @param {string} code @param {string} id */
  transform(code, id) {
    const from = relative(root, id)
    // in a package of a release the contract lies where Node looks for it
    const isSource = SOURCES.some(
      (one) => from === one || from.replace('node_modules/@vigil/', '').startsWith(`${one}/`),
    )
    if (!id.startsWith('\0') && !isSource)
      throw new Error(`${from} is built in, but is none of the sources of server/built.mjs`)
    if (!id.startsWith(root) || !code.includes('import.meta')) return null
    const at = (/** @type {string} */ path) =>
      `${AT}(import.meta.dirname, '../../..', ${JSON.stringify(relative(root, path))})`
    const said = code
      .replaceAll(/\bimport\.meta\.dirname\b/g, () => at(dirname(id)))
      .replaceAll(/\bimport\.meta\.url\b/g, () => `${AT}Url(${at(id)}).href`)
    return `import { resolve as ${AT} } from 'node:path'\nimport { pathToFileURL as ${AT}Url } from 'node:url'\n${said}`
  },
}

const build = await rolldown({
  input: child,
  platform: 'node',
  tsconfig: false,
  // what one place reads at once, another may read late
  checks: { ineffectiveDynamicImport: false },
  external: (id) => /^(?!@vigil\/)[\w@]/.test(id),
  plugins: [places],
})
await build.write({ dir: folder, entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' })
await build.close()
