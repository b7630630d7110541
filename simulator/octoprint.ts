/** The OctoPrint agent: what OctoPrint-Obico 2.6.1 says and when (agent-protocol 3.4 to 3.6, captures/octoprint). */
import { createHash } from 'node:crypto'
import { callOctoprint } from './octoprint-calls.ts'
import { registerFile } from './passthru.ts'
import type { PrinterHappening, PrinterState, PrintFile } from './printer.ts'
import type { Flavour, Host, Json } from './types.ts'

const STATUS_SECONDS = 50
const BOOSTED_SECONDS = 10
const BOOST_LASTS_SECONDS = 15

/** The OctoPrint flavour of one agent. */
export function octoprintFlavour(host: Host): Flavour {
  const { printer } = host
  const terminal = { isOn: false }
  let printTs = -1
  let fileId: number | null = null
  let isDownloading = false
  let boostedUntil = 0
  let lastPosted = -Infinity
  /** The state that OctoPrint shows; it follows the machine through the events in their order. */
  let shown: PrinterState = printer.state
  let events: Promise<void> = Promise.resolve()

  const boost = (): void => {
    boostedUntil = performance.now() + (BOOST_LASTS_SECONDS * 1000) / host.pace.timeScale
  }

  const settings = (): Json => ({
    temperature: { profiles: PROFILES, cutoff: 30, sendAutomatically: false, sendAutomaticallyAfter: 1 },
    agent: { name: 'octoprint_obico', version: '2.6.1' },
    octoprint_version: '1.11.3',
    platform_uname: ['Linux', `octopi-${host.seed}`, '6.1.0', '#1 SMP', 'aarch64', '', 'Raspberry Pi 4 Model B'],
    installed_plugins: ['obico'],
    webcams: [WEBCAM],
    printer_metadata: { FIRMWARE_NAME: 'Marlin 2.1 (simulated)', PROTOCOL_VERSION: '1.0', MACHINE_TYPE: 'Simulated i3' },
  })

  const status = (): Json => {
    const { file, program, heaters } = printer
    const text = isDownloading ? 'G-Code Downloading' : stateText(shown)
    const isOffline = shown === 'offline'
    const heat = (name: 'extruder' | 'bed'): Json => ({ actual: Number(heaters[name].actual.toFixed(2)), target: heaters[name].target, offset: 0 })
    const size = program?.size ?? null
    const jobFile: Json = { name: file?.name ?? null, path: file?.path ?? null, display: file?.name ?? null, origin: file ? 'local' : null, size, date: file ? Math.trunc(file.modified) : null }
    if (fileId !== null) jobFile.obico_g_code_file_id = fileId
    return {
      state: {
        text,
        flags: {
          operational: !isOffline && !isDownloading,
          printing: ['starting', 'printing', 'pausing', 'resuming', 'cancelling', 'finishing'].includes(shown),
          cancelling: shown === 'cancelling',
          pausing: shown === 'pausing',
          resuming: shown === 'resuming',
          finishing: shown === 'finishing',
          closedOrError: isOffline,
          error: false,
          paused: shown === 'paused',
          ready: shown === 'operational',
          sdReady: !isOffline,
        },
        error: '',
      },
      job: {
        file: jobFile,
        estimatedPrintTime: program?.seconds ?? null,
        averagePrintTime: null,
        lastPrintTime: null,
        filament: program ? { tool0: { length: program.filament, volume: program.filament * 2.405e-3 } } : null,
        user: null,
      },
      currentZ: printer.layer > 0 ? Number(printer.position.z.toFixed(2)) : null,
      // filamentUsed is what the file plans, not what came out (agent-protocol 15.5).
      progress: program
        ? {
            completion: printer.completion,
            filepos: printer.filepos,
            printTime: Math.trunc(printer.printTime),
            printTimeLeft: printer.printTimeLeft === null ? null : Math.trunc(printer.printTimeLeft),
            printTimeLeftOrigin: 'linear',
            filamentUsed: Number(program.filament.toFixed(2)),
          }
        : { completion: null, filepos: null, printTime: null, printTimeLeft: null, printTimeLeftOrigin: null },
      offsets: {},
      resends: { count: 0, transmitted: printer.filepos >> 5, ratio: 0 },
      temperatures: isOffline ? {} : { tool0: heat('extruder'), bed: heat('bed'), chamber: { actual: null, target: null, offset: 0 } },
      _ts: Math.trunc(host.now()),
      currentLayerHeight: printer.isBusy && printer.layer > 0 ? printer.layer : null,
      display_status: { message: null },
      file_metadata: file
        ? { hash: hashOf(file), display: file.name, analysis: { printingArea: { maxZ: program?.maxZ ?? null }, estimatedPrintTime: program?.seconds ?? null }, obico: { totalLayerCount: program?.layers.length ?? null } }
        : null,
    }
  }

  const post = (event?: Json, hasSettings = false): void => {
    const message: Json = { status: status(), current_print_ts: printTs }
    if (event) message.event = event
    if (hasSettings) message.settings = settings()
    lastPosted = performance.now()
    host.post(message)
  }

  const postEvent = (name: string, more: Json = {}): void => {
    const { file, program } = printer
    boost()
    post({ event_type: name, data: file && { name: file.name, path: file.path, origin: 'local', size: program?.size ?? null, ...more } })
  }

  const show = (state: PrinterState): void => {
    shown = state
    boost()
    post({ event_type: 'PrinterStateChanged', data: { state_id: state.toUpperCase(), state_string: stateText(state) } })
  }

  const end = (next: PrinterState): void => {
    printTs = -1
    fileId = null
    show(next)
  }

  // The order of events and states is the captured one (captures/octoprint).
  const HAPPENINGS: Partial<Record<PrinterHappening, () => Promise<void> | void>> = {
    started: async () => {
      isDownloading = false
      show('starting')
      const file = printer.file
      printTs = Math.trunc(host.now())
      fileId = file && (await registerFile(host, flavour, file))
      postEvent('PrintStarted')
      show('printing')
    },
    pausing: () => show('pausing'),
    paused: () => {
      postEvent('PrintPaused', { position: { ...printer.position, t: 0, e: 0, f: 600 } })
      show('paused')
    },
    resuming: () => {
      show('resuming')
      postEvent('PrintResumed')
    },
    resumed: () => show('printing'),
    cancelling: () => {
      shown = 'cancelling'
      postEvent('PrintCancelling')
      show('cancelling')
    },
    cancelled: () => {
      const time = printer.printTime
      postEvent('PrintCancelled', { time })
      postEvent('PrintFailed', { time, reason: 'cancelled' })
      end('operational')
    },
    finishing: () => show('finishing'),
    done: () => {
      postEvent('PrintDone', { time: printer.printTime })
      end('operational')
    },
    failed: () => {
      postEvent('PrintFailed', { time: printer.printTime, reason: 'error' })
      end('operational')
    },
  }

  /** The serial line went or came back; a print on it is lost. */
  const followPower = (): void => {
    const isOffline = printer.state === 'offline'
    if (isOffline === (shown === 'offline')) return
    if (isOffline && printTs !== -1) postEvent('PrintFailed', { time: printer.printTime, reason: 'error' })
    end(isOffline ? 'offline' : 'operational')
  }

  const flavour: Flavour = {
    queueLimit: 1000,
    duplicateMemory: 25,
    retryCapSeconds: 1200,
    uploadFolder: 'ObicoUpload',
    callsBlockReader: true,
    busyError: 'Printer is busy',
    signature: (file) => `md5:${hashOf(file)}`,
    picFields: (isBoost) => (isBoost ? [['viewing_boost', 'true']] : []),
    start: () => post(undefined, true),
    opened: () => {},
    boost,
    tick: () => {
      followPower()
      const usual = performance.now() < boostedUntil ? BOOSTED_SECONDS : STATUS_SECONDS
      const every = host.pace.statusEverySeconds ? host.pace.statusEverySeconds * 1000 : (usual * 1000) / host.pace.timeScale
      if (performance.now() - lastPosted >= every - 20) post()
    },
    happened: (what) => {
      const work = HAPPENINGS[what]
      if (work) events = events.then(work).catch((error: unknown) => host.note('event failed', { error: String(error) }))
    },
    command: (cmd, args) => {
      if (cmd === 'pause') {
        if (typeof args !== 'object' || !args) throw new Error("'NoneType' object has no attribute 'get'")
        if (printer.pause() && (args as Json).tools_off) printer.setTarget('extruder', 0)
        if ((args as Json).bed_off) printer.setTarget('bed', 0)
      }
      if (cmd === 'resume') {
        printer.setTarget('extruder', printer.program ? 210 : 0)
        printer.resume()
      }
      if (cmd === 'cancel') printer.cancel()
      if (cmd === 'print') throw new Error("'NoneType' object is not callable")
    },
    setDownloading: (value) => {
      isDownloading = value
      post()
    },
    call: (call) => {
      boost()
      return callOctoprint(host, terminal, call)
    },
  }
  return flavour
}

function stateText(state: string): string {
  return state[0]?.toUpperCase() + state.slice(1)
}

const hashes = new WeakMap<PrintFile, string>()

function hashOf(file: PrintFile): string {
  const known = hashes.get(file)
  if (known) return known
  const hash = createHash('sha1').update(file.text).digest('hex')
  hashes.set(file, hash)
  return hash
}

const WEBCAM = { name: 'Classic Webcam', is_primary_camera: true, stream_mode: 'mjpeg_webrtc', stream_id: 2, data_channel_available: false, flipV: false, flipH: false, rotation: 0, streamRatio: '4:3' }
const PROFILES = [
  { bed: 100, extruder: 210, name: 'ABS' },
  { bed: 60, extruder: 180, name: 'PLA' },
]
