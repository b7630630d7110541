import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { minifySync, type Plugin, type Rolldown } from 'vite'
import { layers } from './vite.styles.ts'

const read = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8').trim()

/** What is asked for at once, by the name that src/early/early.js has for it. */
const PARTS = {
  en: 'texts.en.ts',
  zh: 'texts.zh.ts',
  door: 'LoginScreen.tsx',
  list: 'PrinterListScreen.tsx',
  control: 'PrinterControlScreen.tsx',
}

/** The words of the sign-in that stands in the page itself. */
function texts() {
  const file = (language: string) =>
    JSON.parse(read(`../locales/${language}/people/accounts.json`)) as Record<string, string>
  const words = [...read('src/early/shell.html').matchAll(/data-text="(\w+)"/g)].map(([, word]) => word!)
  const of = (language: string) => Object.fromEntries(words.map((word) => [word, file(language)[word]]))
  return { en: of('en'), zh: of('zh') }
}

/** The files of a part that the page doesn't name, scripts and styles. */
function filesOf(bundle: Rolldown.OutputBundle, end: string, html: string): string[] {
  const chunks = Object.values(bundle).filter((one) => one.type === 'chunk')
  const entry = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/${end}`)))
  if (!entry) throw new Error(`the build has no ${end}`)
  const needed = new Set([entry])
  for (const each of needed)
    for (const name of each.imports) {
      const next = chunks.find(({ fileName }) => fileName === name)
      if (next) needed.add(next)
    }
  const files = [...needed].flatMap((chunk) => [
    chunk.fileName,
    ...(chunk as { viteMetadata?: { importedCss: Set<string> } }).viteMetadata!.importedCss,
  ])
  return files.filter((file) => !html.includes(file))
}

/** The order of the layers in these styles, said before any: which of their files comes first is chance. */
function layerOrder(bundle: Rolldown.OutputBundle): string {
  const styles = Object.values(bundle).flatMap((one) =>
    one.type === 'asset' && one.fileName.endsWith('.css') ? String(one.source) : [],
  )
  const used = (name: string) => styles.some((css) => css.includes(`@layer ${name}{`))
  return `@layer ${layers().filter(used).join()};`
}

/**
 * Puts into the page what the first paint and the first requests need: a frame, its few styles, and a script that asks
 * for texts, session and the first screen at once. The server allows that script by its hash (server/http/pages.ts).
 */
export function shell(): Plugin {
  return {
    name: 'vigil-shell',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle, path }) {
        if (!bundle || !path.endsWith('/index.html')) return html
        const parts = Object.entries(PARTS).map(([name, end]) => [name, filesOf(bundle, end, html)])
        const script = minifySync(
          'early.js',
          [read('public/first-paint.js'), read('src/early/door.js'), read('src/early/early.js')]
            .join('\n')
            .replace('__TEXTS__', () => JSON.stringify(texts()))
            .replace('__PARTS__', () => JSON.stringify(Object.fromEntries(parts))),
        ).code.trim()
        // The server finds it by its brackets, for its hash.
        if (script.includes('<')) throw new Error('the script in the page may not hold a "<"')
        // A style that is awaited in the head would keep even the frame from being painted.
        const styles = html.match(/<link rel="stylesheet"[^>]*>/g) ?? []
        const preloads = styles.map((tag) => tag.replace('rel="stylesheet"', 'rel="preload" as="style"'))
        return styles
          .reduce((page, tag) => page.replace(tag, ''), html)
          .replace(
            /<script src="\.\/first-paint\.js"[^>]*><\/script>/,
            () =>
              `<style>${layerOrder(bundle)}\n${read('src/early/shell.css')}\n${read('src/early/door.css')}</style>\n    ${preloads.join('')}\n    ` +
              `<script>${script}</script>`,
          )
          .replace(
            '<div id="root"></div>',
            () => `${read('src/early/shell.html')}<div id="root"></div>${styles.join('')}`,
          )
      },
    },
  }
}
