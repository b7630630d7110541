import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from './support.ts'

/** Where the languages of Debian's package `locales` lie: PrusaSlicer does not start without one. */
const LOCALES = '/usr/share/i18n/locales/en_US'
const PROGRAMS = ['/usr/bin/prusa-slicer', '/usr/bin/Xvfb', '/usr/bin/xdotool', LOCALES]

/** Whether the real program can be driven here: it comes from Debian, with a screen in memory and hands on it. */
export const hasPrusaSlicer = PROGRAMS.every((path) => existsSync(path))

/** A program takes its time where eight others run. */
const PATIENCE_MS = 90_000

interface Window {
  readonly id: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** PrusaSlicer as somebody has it at their desk: set up for a print host, a cube on its plate. */
export interface PrusaSlicer {
  /** Slices, and sends it under that name by one of the dialog's two buttons. */
  send(name: string, button: 'Upload' | 'Upload and Print'): Promise<void>
  /** Waits for the window that says what went wrong, and closes it. */
  dismissError(): Promise<void>
  /** What is on the screen, as PNG. */
  screenshot(path: string): void
  close(): Promise<void>
}

/** Starts it on a screen of its own. */
export async function startPrusaSlicer({ host, key }: { host: string; key: string }): Promise<PrusaSlicer> {
  const folder = await mkdtemp(join(tmpdir(), 'vigil-prusa-'))
  await setUp(folder, host, key)
  const screen = await aScreen()
  const env = {
    ...process.env,
    DISPLAY: screen.display,
    LIBGL_ALWAYS_SOFTWARE: '1',
    LOCPATH: join(folder, 'locales'),
    LANG: 'en_US.UTF-8',
    LC_ALL: 'en_US.UTF-8',
    HOME: folder,
  }
  const program = spawn('prusa-slicer', ['--datadir', folder, join(folder, 'cube.stl')], {
    env,
    stdio: 'ignore',
  })
  const hand = handOn(screen.display)
  return {
    async send(name, button) {
      const main = await hand.window('based on Slic3r')
      // One place: "Slice now", and "Send to printer" when that is done.
      const dialog = await until(
        async () => {
          hand.click(main.x + main.width - 29, main.y + main.height - 22)
          await pause(1000)
          return hand.look('Send G-Code to printer host')
        },
        'the dialog that sends',
        PATIENCE_MS,
      )
      hand.type(dialog, name)
      await pause(500)
      hand.click(dialog.x + (button === 'Upload' ? 230 : 346), dialog.y + 199)
    },
    async dismissError() {
      const { x, y, width, height } = await hand.window('PrusaSlicer error')
      hand.click(x + width - 58, y + height - 32)
    },
    screenshot: (path) =>
      void execFileSync(
        'ffmpeg',
        `-loglevel error -y -f x11grab -video_size 1280x900 -i ${screen.display} -frames:v 1`
          .split(' ')
          .concat(path),
      ),
    async close() {
      await ended(program)
      await ended(screen.server)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
}

/** A screen in memory, on the first number that is free. */
async function aScreen(): Promise<{ display: string; server: ChildProcess }> {
  const server = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1280x900x24'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const number = await new Promise<string>((resolve, reject) => {
    server.once('exit', () => reject(new Error('Xvfb did not start')))
    server.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()))
  })
  return { display: `:${number}`, server }
}

function handOn(display: string) {
  const tell = (...words: string[]): string => {
    try {
      return execFileSync('xdotool', words, {
        env: { ...process.env, DISPLAY: display },
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      })
    } catch {
      // No such window, yet or any more.
      return ''
    }
  }
  const look = (name: string): Window | null => {
    const id = tell('search', '--onlyvisible', '--name', name).trim().split('\n')[0] ?? ''
    const said = id && tell('getwindowgeometry', '--shell', id)
    if (!said) return null
    const number = (key: string) => Number(new RegExp(`^${key}=(-?\\d+)$`, 'm').exec(said)?.[1])
    return { id, x: number('X'), y: number('Y'), width: number('WIDTH'), height: number('HEIGHT') }
  }
  return {
    look,
    window: (name: string) => until(async () => look(name), `the window "${name}"`, PATIENCE_MS),
    click: (x: number, y: number) => void tell('mousemove', `${x}`, `${y}`, 'click', '1'),
    type(window: Window, text: string) {
      tell('windowfocus', '--sync', window.id)
      tell('key', '--window', window.id, 'ctrl+a')
      tell('type', '--window', window.id, text)
    },
  }
}

/** Presets as its own wizard writes them. */
const INI = `version = 2.5.0
version_system_info_sent = 2.5.0
view_mode = expert
no_defaults = 1
notify_release = none
preset_update = 0
show_hints = 0
show_splash_screen = 0

[presets]
printer = Bench
physical_printer = Desk * Bench
`
const PRINTER = `printer_technology = FFF
bed_shape = 0x0,200x0,200x200,0x200
nozzle_diameter = 0.4
max_print_height = 200
gcode_flavor = marlin2
printer_settings_id = Bench
start_gcode = G28
`
const DESK = `host_type = octoprint
preset_name = Bench
preset_names = Bench
printer_technology = FFF
printhost_authorization_type = key
`

async function setUp(folder: string, host: string, key: string): Promise<void> {
  for (const name of ['printer', 'physical_printer', 'locales']) await mkdir(join(folder, name))
  execFileSync('localedef', ['-i', 'en_US', '-f', 'UTF-8', join(folder, 'locales/en_US.UTF-8')])
  await writeFile(join(folder, 'PrusaSlicer.ini'), INI)
  await writeFile(join(folder, 'printer/Bench.ini'), PRINTER)
  const where = `print_host = ${host}\nprinthost_apikey = ${key}\n`
  await writeFile(join(folder, 'physical_printer/Desk.ini'), DESK + where)
  await writeFile(join(folder, 'cube.stl'), cube())
}

const FACES = ['013', '032', '467', '475', '045', '051', '237', '276', '026', '064', '157', '173']

/** Of 10 mm, as STL in words. */
function cube(): string {
  const corner = (at: number) => `vertex ${10 * (at >> 2)} ${10 * ((at >> 1) & 1)} ${10 * (at & 1)}`
  const facets = FACES.map((face) => {
    const corners = face.split('').map((at) => corner(Number(at)))
    return `facet normal 0 0 0\nouter loop\n${corners.join('\n')}\nendloop\nendfacet\n`
  })
  return `solid cube\n${facets.join('')}endsolid cube\n`
}
