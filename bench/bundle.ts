import { readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Benchmark, Measurement } from './lib/benchmark.ts'
import { withClient } from './lib/client.ts'

const AIM_FIRST_KB = 260
const AIM_PAGE_KB = 150

/** A chunk in Vite's manifest, by the source it begins with. */
interface Chunk {
  readonly file: string
  readonly name?: string
  readonly imports?: readonly string[]
  readonly isEntry?: boolean
  readonly isDynamicEntry?: boolean
}
type Manifest = Readonly<Record<string, Chunk>>

/** The chunk and all that it needs before it runs. */
function needed(manifest: Manifest, name: string, known = new Set<string>()): Set<string> {
  const chunk = manifest[name]
  if (!chunk) throw new Error(`the build has no ${name}`)
  if (!known.has(chunk.file)) {
    known.add(chunk.file)
    for (const other of chunk.imports ?? []) needed(manifest, other, known)
  }
  return known
}

const bundle: Benchmark = {
  name: 'bundle',
  conditions:
    'The client as it ships, built from this tree; KB (1000 bytes) of JavaScript over the wire, in gzip as the server ' +
    'sends it. The first screen is everything that a signed-in browser loads until the list of printers stands: ' +
    'start (with what must speak when the line is lost: questions, toasts, the banner), the texts of one language (the ' +
    'larger), the list. A page counts what it loads beyond start and texts.',
  run: () =>
    withClient(async (folder) => {
      const manifest = await readFile(join(folder, '.vite/manifest.json'), 'utf8')
      return await sizes(folder, JSON.parse(manifest) as Manifest)
    }),
}

type Coding = 'gz' | 'br'

async function sizes(folder: string, manifest: Manifest): Promise<Measurement[]> {
  const names = Object.keys(manifest)
  const named = (end: string) => names.find((name) => name.endsWith(end)) ?? end
  async function sum(files: Iterable<string>, coding: Coding = 'gz'): Promise<number> {
    let bytes = 0
    for (const file of files)
      if (file.endsWith('.js')) bytes += (await stat(join(folder, `${file}.${coding}`))).size
    return bytes / 1000
  }
  const entry = names.find((name) => manifest[name]!.name === 'start' && manifest[name]!.file.endsWith('.js'))
  const start = needed(manifest, entry ?? 'index.html')
  const more = (name: string) => [...needed(manifest, name)].filter((file) => !start.has(file))
  async function always(coding?: Coding): Promise<number> {
    const texts = await Promise.all(['en', 'zh'].map((one) => sum(more(named(`texts.${one}.ts`)), coding)))
    return (await sum(start, coding)) + Math.max(...texts)
  }
  // Chunks of their own, with the name that vite.config.ts gives them.
  const chunkOf = (name: string) =>
    names.find((each) => manifest[each]!.name === name && manifest[each]!.file.endsWith('.js')) ?? name
  const list = more(chunkOf('list'))
  const one = (what: string, value: number, below?: number): Measurement => ({
    what,
    unit: 'KB',
    values: [value],
    ...(below && { aim: { below } }),
  })

  const lazy = names.filter((name) => manifest[name]!.isDynamicEntry && !/texts\.\w+\.ts$/.test(name))
  const isPage = (name: string) => name.endsWith('Screen.tsx')
  const parts: Measurement[] = [
    one('LoginScreen', await sum(more(chunkOf('door'))), AIM_PAGE_KB),
    one('PrinterListScreen', await sum(list), AIM_PAGE_KB),
  ]
  for (const name of [...lazy.filter(isPage), ...lazy.filter((each) => !isPage(each))])
    parts.push(one(basename(name).replace(/\.tsx?$/, ''), await sum(more(name)), AIM_PAGE_KB))
  return [
    one('first screen', (await always()) + (await sum(list)), AIM_FIRST_KB),
    one('of which before any page', await always()),
    one(
      'first screen in Brotli, as browsers take it over HTTPS',
      (await always('br')) + (await sum(list, 'br')),
    ),
    ...parts,
  ]
}

export const benchmarks = [bundle]
