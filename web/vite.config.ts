import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { Marked, type Token } from 'marked'
import { defineConfig, type Plugin } from 'vite'
import { shell } from './vite.shell.ts'
import { mantineStyles } from './vite.styles.ts'

const here = (path: string) => join(import.meta.dirname, path)

/**
 * Writes `sw.js`: our worker with the names of the offline page's files in this build. Any other file that changes
 * changes the worker's text too, so that a browser sees that there is a new build.
 */
function serviceWorker(): Plugin {
  return {
    name: 'vigil-service-worker',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const page = Object.values(bundle).find(
        (file) => file.type === 'chunk' && file.facadeModuleId?.endsWith('/offline.html'),
      )
      if (page?.type !== 'chunk') throw new Error('the offline page was not built')
      const files = [
        'offline.html',
        'first-paint.js',
        page.fileName,
        ...page.imports,
        ...(page.viteMetadata?.importedCss ?? []),
        ...(page.viteMetadata?.importedAssets ?? []),
      ]
      const build = createHash('sha256')
        .update(Object.keys(bundle).toSorted().join())
        .digest('hex')
        .slice(0, 16)
      const source = readFileSync(here('src/offline/worker.js'), 'utf8')
        .replace('__FILES__', JSON.stringify(files))
        .replace('__BUILD__', JSON.stringify(build))
      this.emitFile({ type: 'asset', fileName: 'sw.js', source })
    },
  }
}

/** The words of a heading, as they are read and not as HTML has them. */
const plainWords = (tokens: Token[], name: string): string =>
  tokens
    .map(({ raw }) => raw)
    .join('')
    .replace(` {#${name}}`, '')

/** Markdown of ours as HTML and the list of its sections; `## Title {#id}` names a heading. */
function markdown(): Plugin {
  return {
    name: 'vigil-markdown',
    transform(text, id) {
      if (!id.endsWith('.md')) return null
      const sections: { id: string; title: string }[] = []
      const marked = new Marked({
        renderer: {
          heading({ tokens, depth }) {
            const [, title = '', name = ''] =
              /^(.*) \{#([a-z]+)\}$/.exec(this.parser.parseInline(tokens)) ?? []
            if (!name) throw new Error(`a heading without {#id} in ${id}`)
            if (depth === 2) sections.push({ id: name, title: plainWords(tokens, name) })
            return `<h${depth} id="${name}">${title}</h${depth}>\n`
          },
          link({ href, tokens }) {
            const words = this.parser.parseInline(tokens)
            return `<a href="${href}" target="_blank" rel="noreferrer">${words}</a>`
          },
        },
      })
      const html = marked.parse(text, { async: false })
      const code = `export const html = ${JSON.stringify(html)}\nexport const sections = ${JSON.stringify(sections)}\n`
      return { code, map: null, moduleType: 'js' }
    },
  }
}

/** Beside each script and style the same compressed, as small as it gets: once, not for each visitor. */
function compressed(): Plugin {
  return {
    name: 'vigil-compressed',
    apply: 'build',
    async writeBundle({ dir }, bundle) {
      for (const name of Object.keys(bundle).filter((one) => /^assets\/.*\.(js|css)$/.test(one))) {
        const path = join(dir!, name)
        const bytes = readFileSync(path)
        await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes))
        await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }))
      }
    },
  }
}

/** What the offline page is made of: it needs no file of the app. And the beginnings of pages that stand alone: no other needs them. */
const standsAlone = (id: string) =>
  /\/(src\/offline\/|src\/app\/(?:embedded|host)\.tsx|offline\.|(?:index|embedded|host)\.html)/.test(id)

/**
 * Few files instead of one for every part that two pages share: on a slow line each costs its way. `start` is what every
 * page needs, `list` what the home page needs beyond it, `later` what is loaded once a first screen stands; what several
 * other pages share is merged with what nearly the same pages share, up to this many bytes. With more than 2,000 merged files begin
 * to need each other, and which of them ran first was a matter of the line: what one read of the other was not there yet. No file may
 * be part of a circle (src/app/build.test.ts).
 */
const MERGED_BYTES = 2_000
const groups = [
  { name: 'start', tags: ['$initial' as const], test: (id: string) => !standsAlone(id) },
  { name: 'list', test: /\/PrinterListScreen\.tsx$/ },
  { name: 'door', test: /\/LoginScreen\.tsx$/ },
  { name: 'later', test: /\/(Toasts|UserMenuList|MorePlaces|OrderMenu)\.tsx$/ },
  {
    name: 'shared',
    minShareCount: 2,
    entriesAware: true,
    entriesAwareMergeThreshold: MERGED_BYTES,
    test: (id: string) => !standsAlone(id),
  },
]

// `base: './'` keeps every asset relative; the server's <base href> decides the path prefix at run time.
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react(), mantineStyles(), markdown(), shell(), serviceWorker(), compressed()],
  // The contract's schemas are for the server; see noSchemas.ts.
  resolve: { alias: { zod: here('src/lib/no-schemas.ts') } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 800,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['index', 'offline', 'embedded', 'host'].map((page) => here(`${page}.html`)),
      output: {
        codeSplitting: { groups },
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
        assetFileNames: ({ names }) => `assets/${names[0]?.split(/[~.]/)[0] ?? 'file'}-[hash][extname]`,
      },
    },
  },
  server: {
    proxy: {
      '/alerts': 'http://127.0.0.1:3334',
      '/api': 'http://127.0.0.1:3334',
      '/brands': 'http://127.0.0.1:3334',
      '/media': 'http://127.0.0.1:3334',
      '/ws': { target: 'ws://127.0.0.1:3334', ws: true },
    },
  },
})
