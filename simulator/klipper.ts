/** The Klipper agent: what moonraker-obico 2.1.4 says and when (agent-protocol 3.4 to 3.6, captures/moonraker). */
import { callMoonraker } from './moonraker.ts'
import { registerFile } from './passthru.ts'
import type { PrinterHappening } from './printer.ts'
import type { Flavour, Host, Json } from './types.ts'

const NOT_SUPPORTED =
  'Request not supported. Please make sure moonraker-obico is updated to the latest version. If moonraker-obico is already up to date and you still see this error, please contact Obico support at support@obico.io'
const STATUS_SECONDS = 30
const TRANSIENT_LIMIT_SECONDS = 30
const DOWNLOAD_LIMIT_SECONDS = 600
const TRANSITIONAL = new Set(['pausing', 'resuming', 'cancelling'])

/** The Klipper flavour of one agent. */
export function klipperFlavour(host: Host): Flavour {
  const { printer } = host
  let printTs = -1
  let fileId: number | null = null
  /** The state text that the agent injects while an action runs. */
  let transient: string | null = null
  let transientSince = 0
  let hasCamera = false
  let pendingEvents = 0
  let wasOffline = false
  let owesSettings = false
  let lastText = ''
  let lastPosted = -Infinity
  let events: Promise<void> = Promise.resolve()

  const isBusy = (): boolean => printer.isBusy || printTs !== -1
  const textNow = (): string => transient ?? (printer.state === 'offline' ? 'Offline' : printer.state === 'paused' ? 'Paused' : printer.isBusy ? 'Printing' : 'Operational')

  const settings = (): Json => ({
    webcams: hasCamera ? [WEBCAM] : null,
    data_channel_id: null,
    temperature: { profiles: hasCamera ? PROFILES : [] },
    agent: { name: 'moonraker_obico', version: '2.1.4' },
    platform_uname: ['Linux', `klipper-${host.seed}`, '6.1.0', '#1 SMP', 'x86_64', '', ''],
    installed_plugins: [],
  })

  const status = (text: string): Json => {
    const { file, program, heaters } = printer
    const isShowing = (text === 'Printing' || text === 'Paused') && printer.layer > 0
    const heat = (name: 'extruder' | 'bed'): Json => ({ actual: round(heaters[name].actual, 2), offset: 0, target: heaters[name].target })
    const flag = (...texts: string[]): boolean => texts.includes(text)
    return {
      _ts: host.now(),
      state: {
        text,
        flags: {
          operational: text !== 'G-Code Downloading',
          paused: flag('Paused'),
          printing: flag('Printing'),
          cancelling: false,
          pausing: false,
          error: false,
          ready: flag('Operational'),
          closedOrError: false,
        },
        error: null,
      },
      currentZ: round(printer.position.z, 3),
      job: { file: { name: file?.name ?? null, path: file?.path ?? '', display: file?.name ?? null, obico_g_code_file_id: fileId }, estimatedPrintTime: null, user: null },
      progress: {
        completion: printer.completion,
        filepos: printer.filepos,
        printTime: printer.printTime,
        printTimeLeft: isBusy() || printer.printTime > 0 ? printer.printTimeLeft : null,
        filamentUsed: round(printer.filamentUsed, 3),
      },
      temperatures: { extruder: heat('extruder'), heater_bed: heat('bed'), chamber: { actual: 24.05, offset: 0, target: null } },
      file_metadata: { analysis: { printingArea: { maxZ: program?.maxZ ?? null } }, obico: { totalLayerCount: isShowing ? (program?.layers.length ?? null) : null } },
      currentLayerHeight: isShowing ? printer.layer : null,
      currentFeedRate: 1,
      currentFlowRate: 1,
      currentFanSpeed: printer.fan,
    }
  }

  const postStatus = (event?: string, text = textNow()): void => {
    const message: Json = { current_print_ts: printTs, status: status(text) }
    if (event) message.event = { event_type: event }
    if (owesSettings) message.settings = settings()
    owesSettings = false
    lastPosted = performance.now()
    if (!event) lastText = text
    host.post(message)
  }

  const begin = async (): Promise<void> => {
    const file = printer.file
    printTs = Math.trunc(host.now())
    fileId = file && (await registerFile(host, flavour, file))
    // Without a record of the file PrintStarted is never sent; statuses carry the print all the same.
    if (fileId !== null) postStatus('PrintStarted')
    transient = null
  }

  const end = (): void => {
    printTs = -1
    fileId = null
    transient = null
    postStatus()
  }

  const HAPPENINGS: Partial<Record<PrinterHappening, () => Promise<void> | void>> = {
    started: begin,
    paused: () => settle('PrintPaused'),
    resumed: () => settle('PrintResumed'),
    cancelled: () => {
      transient = 'Cancelling'
      postStatus('PrintCancelled')
      return new Promise((resolve) => {
        host.after(0.5, () => {
          postStatus('PrintFailed')
          host.after(0.3, () => {
            end()
            resolve()
          })
        })
      })
    },
    failed: () => {
      postStatus('PrintFailed')
      end()
    },
    done: () => {
      postStatus('PrintDone', 'Operational')
      printTs = -1
      fileId = null
      lastText = ''
    },
  }

  const settle = (event: string): void => {
    postStatus(event)
    transient = null
  }

  const forgetPrint = (): void => {
    wasOffline = false
    printTs = -1
    fileId = null
    transient = null
    lastText = ''
  }

  /** An injected text goes when its action never took hold. */
  const expireTransient = (): void => {
    if (!transient || TRANSITIONAL.has(printer.state)) return
    const limit = transient === 'G-Code Downloading' ? DOWNLOAD_LIMIT_SECONDS : TRANSIENT_LIMIT_SECONDS
    if (performance.now() - transientSince > (limit * 1000) / host.pace.timeScale) transient = null
  }

  const flavour: Flavour = {
    queueLimit: 50,
    duplicateMemory: 100,
    retryCapSeconds: 120,
    uploadFolder: 'Obico_Upload',
    callsBlockReader: false,
    busyError: 'Printer busy!',
    signature: (file) => `ts:${file.modified}`,
    picFields: (isBoost) => [
      ['is_primary_camera', 'True'],
      ['is_nozzle_camera', 'False'],
      ['camera_name', ''],
      ['viewing_boost', isBoost ? 'True' : 'False'],
    ],
    start: () => {
      host.post({})
      // The webcams are known only once streaming is up; until then settings say null.
      host.after(1, () => host.post({ settings: settings() }))
      host.after(2, () => {
        hasCamera = true
        owesSettings = true
        lastPosted = -Infinity
      })
    },
    opened: () => host.post({ settings: settings() }),
    boost: () => {},
    tick: () => {
      if (printer.state === 'offline') {
        wasOffline = true
        host.post({})
        return
      }
      if (wasOffline) forgetPrint()
      // A status in the middle of an event would tell its end before the event does.
      if (!hasCamera || pendingEvents) return
      expireTransient()
      const { statusEverySeconds, timeScale } = host.pace
      const every = statusEverySeconds ? statusEverySeconds * 1000 : (STATUS_SECONDS * 1000) / timeScale
      if (textNow() !== lastText || performance.now() - lastPosted >= every - 20) postStatus()
    },
    happened: (what) => {
      const work = HAPPENINGS[what]
      if (!work) return
      pendingEvents += 1
      events = events
        .then(work)
        .catch((error: unknown) => host.note('event failed', { error: String(error) }))
        .finally(() => {
          pendingEvents -= 1
        })
    },
    command: (cmd) => {
      const text = ({ pause: 'Pausing', resume: 'Resuming', cancel: 'Cancelling' } as Record<string, string>)[cmd]
      if (!text || printer.state === 'offline') return
      transient = text
      transientSince = performance.now()
      postStatus()
      const worked = cmd === 'pause' ? printer.pause() : cmd === 'resume' ? printer.resume() : printer.cancel()
      if (!worked) transient = null
    },
    setDownloading: (isDownloading) => {
      transient = isDownloading ? 'G-Code Downloading' : null
      transientSince = performance.now()
      postStatus()
    },
    call: (call) => {
      const [first, second] = call.args
      switch (`${call.target}.${call.func}`) {
        case '_printer.jog':
          printer.jog((first ?? {}) as Record<string, number>)
          return { ret: null }
        case '_printer.home':
          printer.home(Array.isArray(first) ? first.map(String) : [])
          return { ret: null }
        case '_printer.set_temperature':
          printer.setTarget(String(first).includes('bed') ? 'bed' : 'extruder', Number(second))
          return { ret: null }
      }
      if (call.target === 'moonraker_api') return callMoonraker(host, call.func, call.kwargs)
      return { error: NOT_SUPPORTED }
    },
  }
  return flavour
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

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
