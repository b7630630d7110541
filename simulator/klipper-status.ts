/** What moonraker-obico 2.1.4 reports: status and settings, field by field as captured (docs/wire/agents.md 5, 6). */
import type { Host } from './flavour.ts'
import type { Json } from './types.ts'

/** The state text that Moonraker's own state gives, without what the agent injects. */
export function plainText(host: Host): string {
  const { printer } = host
  if (printer.state === 'offline') return 'Offline'
  if (printer.state === 'paused') return 'Paused'
  return printer.isBusy ? 'Printing' : 'Operational'
}

/** The `status` object for a state text. */
export function klipperStatus(host: Host, text: string, fileId: number | null): Json {
  const { file, program, heaters, position, layer, fan } = host.printer
  // Layers are shown only in the middle of a print, not in transient states.
  const isShowing = (text === 'Printing' || text === 'Paused') && layer > 0
  const heat = (name: 'extruder' | 'bed'): Json => ({
    actual: round(heaters[name].actual, 2),
    offset: 0,
    target: heaters[name].target,
  })
  return {
    _ts: host.now(),
    state: { text, flags: flagsOf(text), error: null },
    currentZ: round(position.z, 3),
    job: {
      file: {
        name: file?.name ?? null,
        path: file?.path ?? '',
        display: file?.name ?? null,
        obico_g_code_file_id: fileId,
      },
      estimatedPrintTime: null,
      user: null,
    },
    progress: progressOf(host),
    temperatures: {
      extruder: heat('extruder'),
      heater_bed: heat('bed'),
      chamber: { actual: 24.05, offset: 0, target: null },
    },
    file_metadata: {
      analysis: { printingArea: { maxZ: program?.maxZ ?? null } },
      obico: { totalLayerCount: isShowing ? (program?.layers.length ?? null) : null },
    },
    currentLayerHeight: isShowing ? layer : null,
    currentFeedRate: 1,
    currentFlowRate: 1,
    currentFanSpeed: fan,
  }
}

/** The `settings` object; the webcams are null until streaming is up. */
export function klipperSettings(host: Host, hasCamera: boolean): Json {
  return {
    webcams: hasCamera ? (host.janus?.webcams ?? [WEBCAM]) : null,
    data_channel_id: hasCamera ? (host.janus?.dataChannelId ?? null) : null,
    temperature: { profiles: hasCamera ? PROFILES : [] },
    agent: { name: 'moonraker_obico', version: host.janus?.agentVersion ?? '2.1.4' },
    platform_uname: ['Linux', `klipper-${host.seed}`, '6.1.0', '#1 SMP', 'x86_64', '', ''],
    installed_plugins: [],
  }
}

function flagsOf(text: string): Json {
  return {
    operational: text !== 'G-Code Downloading',
    paused: text === 'Paused',
    printing: text === 'Printing',
    cancelling: false,
    pausing: false,
    error: false,
    ready: text === 'Operational',
    closedOrError: false,
  }
}

function progressOf(host: Host): Json {
  const { completion, filepos, printTime, printTimeLeft, filamentUsed } = host.printer
  return { completion, filepos, printTime, printTimeLeft, filamentUsed: round(filamentUsed, 3) }
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}

const WEBCAM = {
  name: '',
  is_primary_camera: true,
  is_nozzle_camera: false,
  stream_mode: 'mjpeg_webrtc',
  stream_id: 2,
  data_channel_available: false,
  flipV: false,
  flipH: false,
  rotation: 0,
  streamRatio: '4:3',
}

const PROFILES = [
  { name: 'PLA', heater_bed: 60, extruder: 210 },
  { name: 'PETG', heater_bed: 80, extruder: 240 },
]
