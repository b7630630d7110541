import { type InstallStep, installSlicer, NotInstalled } from '../engines/slicer/install.ts'
import { openSlicer } from '../engines/slicer/index.ts'
import { text } from '../http/texts.ts'
import { type Command, CommandFailed, loadConfig, OK, print, readArgs, UsageError } from './command.ts'

const help = `Installs the slicer, so that models are sliced in the browser.

  ./vigil slicer install [--json]

PrusaSlicer of Debian or Ubuntu: by apt as root, otherwise its packages are unpacked into the data folder, where nothing
else is touched. Then it slices a cube as a proof. The server sees it within seconds. On other systems install a
PrusaSlicer yourself, and name its path in SLICER_PROGRAM.`

const OPTIONS = { json: { type: 'boolean', default: false } } as const

export const slicer: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArgs(args, OPTIONS)
    if (positionals.length !== 1 || positionals[0] !== 'install')
      throw new UsageError('Say ./vigil slicer install.')
    const config = loadConfig()
    const ending = new AbortController()
    const stop = () => ending.abort()
    process.once('SIGINT', stop).once('SIGTERM', stop)
    const server = { config, stopping: ending.signal }
    const there = await openSlicer(server).version()
    if (there !== null) return said(values.json, there, `${there} is here already.`)
    try {
      const name = await installSlicer(server, { signal: ending.signal, onProgress: teller(values.json) })
      return said(values.json, name, `${name} is installed, and has sliced a cube.`)
    } catch (error) {
      if (ending.signal.aborted) throw new CommandFailed('Stopped.')
      if (error instanceof NotInstalled)
        throw new CommandFailed(text('slicing-server', `install.${error.why}`, { said: error.said }).in('en'))
      throw error
    }
  },
}

function said(isJson: boolean, name: string, sentence: string): number {
  print(isJson ? { ok: true, name } : sentence)
  return OK
}

/** Each step once, each tenth of it all. */
function teller(isJson: boolean) {
  let last = ''
  return (step: InstallStep, share: number) => {
    const percent = Math.floor(share * 10) * 10
    if (last === `${step} ${percent}`) return
    last = `${step} ${percent}`
    print(isJson ? { step, share } : `${String(percent).padStart(3)} %  ${STEPS[step]}`)
  }
}

const STEPS: Record<InstallStep, string> = {
  lists: 'reading the lists of packages',
  download: 'fetching PrusaSlicer',
  unpack: 'unpacking it',
  proof: 'slicing a cube',
}
