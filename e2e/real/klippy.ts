import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

/** Klipper's unix socket, as Moonraker finds it: JSON, each message ended by this. */
const END = '\u0003'
/** A print of a stand-in: so many statuses, so far apart. */
const STEPS = 10
const STEP_MS = 100

interface Asked {
  readonly id?: number
  readonly method: string
  readonly params?: {
    readonly objects?: Readonly<Record<string, readonly string[] | null>>
    readonly response_template?: object
    readonly script?: string
  }
}

/** What is said to everybody who has subscribed, as `objects/subscribe` has asked for it. */
interface Listener {
  readonly socket: Socket
  readonly template: object
  readonly names: readonly string[]
}

export interface Klippy {
  /** Every G-code script that it was told, in order. */
  readonly scripts: readonly string[]
  close(): void
}

const ENDPOINTS = [
  'info',
  'emergency_stop',
  'objects/list',
  'objects/query',
  'objects/subscribe',
  'gcode/help',
  'gcode/script',
  'gcode/restart',
  'gcode/firmware_restart',
  'gcode/subscribe_output',
  'register_remote_method',
  'list_endpoints',
  'pause_resume/pause',
  'pause_resume/resume',
  'pause_resume/cancel',
]

const stateAtRest = (gcodes: string) => ({
  webhooks: { state: 'ready', state_message: 'Printer is ready' },
  configfile: { config: { virtual_sdcard: { path: gcodes } }, settings: {}, save_config_pending: false },
  display_status: { progress: 0, message: null },
  pause_resume: { is_paused: false },
  print_stats: {
    filename: '',
    state: 'standby',
    message: '',
    total_duration: 0,
    print_duration: 0,
    filament_used: 0,
    info: { total_layer: null, current_layer: null },
  },
  virtual_sdcard: { progress: 0, file_position: 0, is_active: false, file_path: null as string | null },
  idle_timeout: { state: 'Idle', printing_time: 0 },
  toolhead: { homed_axes: '', position: [0, 0, 0, 0], estimated_print_time: 0 },
  heaters: { available_heaters: ['extruder'], available_sensors: ['extruder'] },
  extruder: { temperature: 21.4, target: 0, power: 0 },
})

/** Stands in for Klipper behind Moonraker: knows of one extruder, and plays prints of a second. `gcodes`: where Moonraker keeps files. */
export async function startKlippy(path: string, gcodes: string): Promise<Klippy> {
  const state = stateAtRest(gcodes)
  const scripts: string[] = []
  const listeners = new Map<Socket, Listener>()
  const sockets = new Set<Socket>()
  const began = performance.now()
  const now = () => (performance.now() - began) / 1000
  const say = (socket: Socket, message: object) => void socket.write(JSON.stringify(message) + END)

  function statusOf(names: readonly string[]) {
    const known = Object.entries(state).filter(([name]) => names.includes(name))
    return { eventtime: now(), status: Object.fromEntries(known) }
  }
  function tellAll() {
    for (const { socket, template, names } of listeners.values())
      say(socket, { ...template, params: statusOf(names) })
  }

  async function print(filename: string) {
    const begun = now()
    for (let step = 0; step <= STEPS; step++) {
      const progress = step / STEPS
      const isDone = step === STEPS
      const lasted = now() - begun
      Object.assign(state.virtual_sdcard, {
        progress,
        is_active: !isDone,
        file_path: isDone ? null : `${gcodes}/${filename}`,
      })
      Object.assign(state.print_stats, {
        filename,
        state: isDone ? 'complete' : 'printing',
        total_duration: lasted,
        print_duration: lasted,
        filament_used: step,
      })
      tellAll()
      if (!isDone) await new Promise((resolve) => setTimeout(resolve, STEP_MS))
    }
  }

  function answer(socket: Socket, { method, params = {} }: Asked): object {
    const names = Object.keys(params.objects ?? {})
    if (method === 'info')
      return {
        state: 'ready',
        state_message: 'Printer is ready',
        hostname: 'stand-in',
        klipper_path: '/nonexistent/klipper',
        python_path: '/nonexistent/python',
        process_id: process.pid,
        user_id: process.getuid?.() ?? 0,
        group_id: process.getgid?.() ?? 0,
        log_file: '/nonexistent/klippy.log',
        config_file: '/nonexistent/printer.cfg',
        software_version: 'v0.13.0-1-standin',
        cpu_info: 'stand-in',
      }
    if (method === 'list_endpoints') return { endpoints: ENDPOINTS }
    if (method === 'objects/list') return { objects: Object.keys(state) }
    if (method === 'objects/query') return statusOf(names)
    if (method === 'objects/subscribe') {
      listeners.set(socket, { socket, template: params.response_template ?? {}, names })
      return statusOf(names)
    }
    if (method === 'gcode/script') {
      const script = params.script ?? ''
      scripts.push(script)
      const filename = /^SDCARD_PRINT_FILE FILENAME="(.+)"$/.exec(script)?.[1]
      if (filename !== undefined) void print(filename)
    }
    return {}
  }

  const server = createServer((socket) => {
    sockets.add(socket)
    let text = ''
    socket.setEncoding('utf8').on('data', (part: string) => {
      const messages = (text + part).split(END)
      text = messages.pop() ?? ''
      for (const message of messages) {
        const asked = JSON.parse(message) as Asked
        const result = answer(socket, asked)
        if (asked.id !== undefined) say(socket, { id: asked.id, result })
      }
    })
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      sockets.delete(socket)
      listeners.delete(socket)
    })
  })
  server.listen(path)
  await once(server, 'listening')
  return {
    scripts,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
