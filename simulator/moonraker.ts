/** The part of Moonraker's API that browsers reach through the Klipper agent (docs/wire/agents.md 7.2). */
import type { Host } from './flavour.ts'
import { macroSettings, runMacro } from './macros.ts'
import { textOf, type Json, type PassthruReply } from './types.ts'

type Answer = (host: Host, params: Json, isPost: boolean) => unknown

/** Moonraker answers these to a POST alone; a GET of a power device only asks how it stands. */
const POST_ONLY = /^printer\/(print\/|restart$|firmware_restart$)/

const ANSWERS: Record<string, Answer> = {
  'printer/info': (host) => ({
    state: host.printer.state === 'offline' ? 'shutdown' : 'ready',
    state_message: 'Printer is ready',
    hostname: `klipper-${host.seed}`,
    software_version: 'v0.12.0-simulated',
  }),
  'server/info': () => ({
    klippy_connected: true,
    klippy_state: 'ready',
    moonraker_version: 'v0.11.0-simulated',
  }),
  'printer/objects/query': (host, params) => {
    const all = objects(host)
    const asked = Object.keys(params).filter((name) => name in all)
    return {
      eventtime: performance.now() / 1000,
      status: Object.fromEntries(asked.map((name) => [name, all[name]])),
    }
  },
  'printer/gcode/script': (host, params) => runScript(host, textOf(params.script)),
  'printer/firmware_restart': (host) => ok(() => host.printer.setPower(true)),
  'printer/restart': (host) => ok(() => host.printer.setPower(true)),
  'printer/print/start': (host, params) => {
    const file = host.files.get(textOf(params.filename))
    if (!file || !host.printer.start(file)) throw new Error('SD busy')
    return 'ok'
  },
  'printer/print/pause': (host) => ok(() => host.printer.pause()),
  'printer/print/resume': (host) => ok(() => host.printer.resume()),
  'printer/print/cancel': (host) => ok(() => host.printer.cancel()),
  'server/files/directory': (host, params) => directory(host, textOf(params.path) || 'gcodes'),
  'server/files/metadata': (host, params) => {
    const file = host.files.get(textOf(params.filename))
    if (!file) throw new Error('not found')
    return { size: Buffer.byteLength(file.text), modified: file.modified, filename: file.path }
  },
  'server/webcams/list': () => ({
    webcams: [
      {
        name: 'simulated',
        service: 'mjpegstreamer',
        snapshot_url: '/webcam/?action=snapshot',
        stream_url: '/webcam/?action=stream',
        flip_horizontal: false,
        flip_vertical: false,
        rotation: 0,
      },
    ],
  }),
  'server/history/list': () => ({ count: 0, jobs: [] }),
  'server/config': () => ({ config: { server: { host: '0.0.0.0', port: 7125 } } }),
  'machine/system_info': () => ({
    system_info: { network: { eth0: { ip_addresses: [{ family: 'ipv4', address: '192.168.1.20' }] } } },
  }),
  'machine/device_power/devices': (host) => ({
    devices: [
      { device: 'printer', status: isOn(host) ? 'on' : 'off', locked_while_printing: true, type: 'gpio' },
    ],
  }),
  'machine/device_power/device': (host, params, isPost) => {
    const action = params.action ?? 'toggle'
    if (isPost && (action === 'on' || action === 'off' || action === 'toggle')) {
      if (host.printer.isBusy) throw new Error('locked')
      host.printer.setPower(action === 'on' || (action === 'toggle' && !isOn(host)))
    }
    return { [textOf(params.device)]: isOn(host) ? 'on' : 'off' }
  },
}

/** One call: `result` for GET, the whole body for POST, an error text for everything that fails. */
export function callMoonraker(host: Host, func: string, kwargs: Json): PassthruReply {
  const { verb = 'get', ...params } = kwargs
  const [path = '', query = ''] = func.replaceAll('.', '/').split('?', 2)
  const answer = ANSWERS[path]
  try {
    const isPost = verb === 'post'
    if (!answer || (POST_ONLY.test(path) && !isPost)) throw new Error('404')
    const given = { ...Object.fromEntries(new URLSearchParams(query)), ...params }
    const result = answer(host, given, isPost)
    return { ret: isPost ? { result } : result }
  } catch {
    return { error: `Error in calling "${func}" - "${textOf(verb)}"` }
  }
}

function isOn(host: Host): boolean {
  return host.printer.state !== 'offline'
}

function ok(work: () => unknown): string {
  work()
  return 'ok'
}

function objects(host: Host): Json {
  const { position, heaters, fan, printTime, filamentUsed, file } = host.printer
  const at = [position.x, position.y, position.z, filamentUsed]
  return {
    gcode_move: {
      speed_factor: 1,
      extrude_factor: 1,
      absolute_coordinates: true,
      absolute_extrude: false,
      homing_origin: [0, 0, host.printer.zOffset, 0],
      position: at,
      gcode_position: at,
    },
    toolhead: {
      homed_axes: 'xyz',
      position: at,
      axis_minimum: [0, 0, 0, 0],
      axis_maximum: [220, 220, 250, 0],
    },
    configfile: {
      settings: {
        extruder: { nozzle_diameter: 0.4, max_temp: 270 },
        heater_bed: { max_temp: 120 },
        ...macroSettings(),
      },
    },
    extruder: {
      temperature: heaters.extruder.actual,
      target: heaters.extruder.target,
      power: 0,
      can_extrude: heaters.extruder.actual > 170,
    },
    heater_bed: { temperature: heaters.bed.actual, target: heaters.bed.target, power: 0 },
    fan: { speed: fan },
    print_stats: {
      state: host.printer.isBusy ? 'printing' : 'standby',
      filename: file?.path ?? '',
      print_duration: printTime,
    },
  }
}

/** What Klipper knows without a macro, as far as pages use it. */
const BUILT_IN =
  /^(?:[GMT]\d|SET_|SAVE_|RESTORE_|BED_MESH_|TURN_OFF_|QUERY_|STATUS$|HELP$|PAUSE$|RESUME$|CANCEL_PRINT$|FIRMWARE_RESTART$|RESTART$)/

/** `NAME=value` of a line, as Klipper reads them: names in capitals, a value in quotes whole. */
const paramsOf = (line: string): ReadonlyMap<string, string> =>
  new Map(
    [...line.slice(0, 1_000).matchAll(/(\w{1,60})=(?:"([^"]{0,200})"|(\S{0,200}))/g)].map(
      ([, name = '', quoted, plain = '']) => [name.toUpperCase(), quoted ?? plain],
    ),
  )

/** A script of the terminal: what it would do to the machine, and its answer in the feed. */
function runScript(host: Host, script: string): string {
  for (const line of script.split('\n')) {
    const [word = '', ...rest] = line.trim().toUpperCase().split(/\s+/)
    const value = (letter: string): number =>
      Number(rest.find((one) => one.startsWith(letter))?.slice(1) ?? NaN)
    if (word === 'M104' || word === 'M109') host.printer.setTarget('extruder', value('S') || 0)
    if (word === 'M140' || word === 'M190') host.printer.setTarget('bed', value('S') || 0)
    if (word === 'G28')
      host.printer.home(rest.length ? rest.map((axis) => axis.toLowerCase()) : ['x', 'y', 'z'])
    if (word === 'SET_GCODE_OFFSET') {
      const by = rest.find((one) => one.startsWith('Z_ADJUST='))?.slice(9)
      const to = rest.find((one) => one.startsWith('Z='))?.slice(2)
      host.printer.zOffset = to === undefined ? host.printer.zOffset + (Number(by) || 0) : Number(to) || 0
    }
    if (word === 'PAUSE') host.printer.pause()
    if (word === 'RESUME') host.printer.resume()
    if (word === 'CANCEL_PRINT') host.printer.cancel()
    if (word === 'M115') say(host, 'FIRMWARE_NAME:Klipper FIRMWARE_VERSION:v0.12.0-simulated')
    if (word === 'M105')
      say(
        host,
        `T:${host.printer.heaters.extruder.actual.toFixed(1)} /${host.printer.heaters.extruder.target} B:${host.printer.heaters.bed.actual.toFixed(1)} /${host.printer.heaters.bed.target}`,
      )
    if (!word || BUILT_IN.test(word) || runMacro(host.printer, word, paramsOf(line))) continue
    say(host, `// Unknown command:"${word}"`)
  }
  return 'ok'
}

function say(host: Host, msg: string): void {
  host.post({ passthru: { terminal_feed: { msg, _ts: host.now() } } })
}

function directory(host: Host, path: string): Json {
  const folder = path.replace(/^gcodes\/?/, '')
  const prefix = folder ? `${folder}/` : ''
  const dirs = new Set<string>()
  const files: Json[] = []
  for (const file of host.files.values()) {
    if (!file.path.startsWith(prefix)) continue
    const rest = file.path.slice(prefix.length)
    const slash = rest.indexOf('/')
    if (slash >= 0) dirs.add(rest.slice(0, slash))
    else
      files.push({
        filename: rest,
        size: Buffer.byteLength(file.text),
        modified: file.modified,
        permissions: 'rw',
      })
  }
  return {
    dirs: [...dirs].map((dirname) => ({ dirname, modified: host.now(), size: 4096, permissions: 'rw' })),
    files,
    disk_usage: { total: 32e9, used: 4e9, free: 28e9 },
    root_info: { name: 'gcodes', permissions: 'rw' },
  }
}
