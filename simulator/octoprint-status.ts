/** What OctoPrint-Obico 2.6.1 reports: status and settings, field by field as captured (docs/wire/agents.md 5, 6). */
import { createHash } from 'node:crypto'
import type { PrinterState, PrintFile } from './printer.ts'
import type { Host } from './flavour.ts'
import type { Json } from './types.ts'

const PRINTING = new Set<PrinterState>([
  'starting',
  'printing',
  'pausing',
  'resuming',
  'cancelling',
  'finishing',
])
const EMPTY_PROGRESS = {
  completion: null,
  filepos: null,
  printTime: null,
  printTimeLeft: null,
  printTimeLeftOrigin: null,
}
const hashes = new WeakMap<PrintFile, string>()

/** OctoPrint's word for a state. */
export function stateText(state: PrinterState): string {
  return `${state[0]?.toUpperCase()}${state.slice(1)}`
}

/** OctoPrint's hash of a file, reckoned once. */
export function hashOf(file: PrintFile): string {
  const known = hashes.get(file)
  if (known) return known
  const hash = createHash('sha1').update(file.text).digest('hex')
  hashes.set(file, hash)
  return hash
}

/** The `status` object while OctoPrint shows the state `shown`. */
export function octoprintStatus(
  host: Host,
  shown: PrinterState,
  isDownloading: boolean,
  fileId: number | null,
): Json {
  const { printer } = host
  const { file, program } = printer
  return {
    state: stateOf(shown, isDownloading),
    job: jobOf(host, fileId),
    currentZ: printer.layer > 0 ? Number(printer.position.z.toFixed(2)) : null,
    progress: progressOf(host),
    offsets: {},
    resends: { count: 0, transmitted: printer.filepos >> 5, ratio: 0 },
    temperatures: shown === 'offline' ? {} : temperaturesOf(host),
    _ts: Math.trunc(host.now()),
    currentLayerHeight: printer.isBusy && printer.layer > 0 ? printer.layer : null,
    display_status: { message: null },
    file_metadata: file && {
      hash: hashOf(file),
      display: file.name,
      analysis: {
        printingArea: { maxZ: program?.maxZ ?? null },
        estimatedPrintTime: program?.seconds ?? null,
      },
      obico: { totalLayerCount: program?.layers.length ?? null },
    },
  }
}

/** The `settings` object. */
export function octoprintSettings(host: Host): Json {
  return {
    temperature: { profiles: PROFILES, cutoff: 30, sendAutomatically: false, sendAutomaticallyAfter: 1 },
    agent: { name: 'octoprint_obico', version: host.janus?.agentVersion ?? '2.6.1' },
    octoprint_version: '1.11.3',
    platform_uname: [
      'Linux',
      `octopi-${host.seed}`,
      '6.1.0',
      '#1 SMP',
      'aarch64',
      '',
      'Raspberry Pi 4 Model B',
    ],
    installed_plugins: ['obico'],
    webcams: host.janus?.webcams ?? [WEBCAM],
    printer_metadata: {
      FIRMWARE_NAME: 'Marlin 2.1 (simulated)',
      PROTOCOL_VERSION: '1.0',
      MACHINE_TYPE: 'Simulated i3',
    },
  }
}

function stateOf(shown: PrinterState, isDownloading: boolean): Json {
  const isOffline = shown === 'offline'
  return {
    text: isDownloading ? 'G-Code Downloading' : stateText(shown),
    flags: {
      operational: !isOffline && !isDownloading,
      printing: PRINTING.has(shown),
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
  }
}

function jobOf(host: Host, fileId: number | null): Json {
  const { file, program } = host.printer
  const jobFile: Json = {
    name: file?.name ?? null,
    path: file?.path ?? null,
    display: file?.name ?? null,
    origin: file ? 'local' : null,
    size: program?.size ?? null,
    date: file ? Math.trunc(file.modified) : null,
  }
  if (fileId !== null) jobFile.obico_g_code_file_id = fileId
  return {
    file: jobFile,
    estimatedPrintTime: program?.seconds ?? null,
    averagePrintTime: null,
    lastPrintTime: null,
    filament: program && { tool0: { length: program.filament, volume: program.filament * 2.405e-3 } },
    user: null,
  }
}

function progressOf(host: Host): Json {
  const { program, completion, filepos, printTime, printTimeLeft } = host.printer
  if (!program) return EMPTY_PROGRESS
  return {
    completion,
    filepos,
    printTime: Math.trunc(printTime),
    printTimeLeft: printTimeLeft === null ? null : Math.trunc(printTimeLeft),
    printTimeLeftOrigin: 'linear',
    // What the file plans, not what came out (docs/rules/prints.md 2).
    filamentUsed: Number(program.filament.toFixed(2)),
  }
}

function temperaturesOf(host: Host): Json {
  const { extruder, bed } = host.printer.heaters
  const heat = (heater: { actual: number; target: number }): Json => ({
    actual: Number(heater.actual.toFixed(2)),
    target: heater.target,
    offset: 0,
  })
  return { tool0: heat(extruder), bed: heat(bed), chamber: { actual: null, target: null, offset: 0 } }
}

const WEBCAM = {
  name: 'Classic Webcam',
  is_primary_camera: true,
  stream_mode: 'mjpeg_webrtc',
  stream_id: 2,
  data_channel_available: false,
  flipV: false,
  flipH: false,
  rotation: 0,
  streamRatio: '4:3',
}

const PROFILES = [
  { bed: 100, extruder: 210, name: 'ABS' },
  { bed: 60, extruder: 180, name: 'PLA' },
]
