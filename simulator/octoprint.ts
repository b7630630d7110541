import { isFields } from '@vigil/contract/fields.ts'
import { isUtf8 } from 'node:buffer'
/** The OctoPrint agent: when OctoPrint-Obico 2.6.1 says what (docs/wire/agents.md 5, 7, captures/octoprint). */
import { callOctoprint } from './octoprint-calls.ts'
import { hashOf, octoprintSettings, octoprintStatus, stateText } from './octoprint-status.ts'
import { registerFile } from './passthru.ts'
import type { PrinterHappening, PrinterState, PrintFile } from './printer.ts'
import type { Flavour, Host } from './flavour.ts'
import type { Json, PassthruCall, PassthruReply } from './types.ts'

const STATUS_SECONDS = 50
const BOOSTED_SECONDS = 10
const BOOST_LASTS_SECONDS = 15
const SETTINGS_SECONDS = 1800

const LAYER_MARKS = [
  /^;LAYER:\d/,
  /^; <?layer \d/,
  /^;BEFORE_LAYER_CHANGE/,
  /^;(?: BEGIN_|BEFORE_)+LAYER_(?:CHANGE|OBJECT)/,
]

/** As the plug-in's pre-processor does it, line by line (docs/wire/agents.md 7.2). Raises an error for what is not UTF-8. */
export function storedByPlugin(content: Buffer): string {
  if (!isUtf8(content)) throw new Error("'utf-8' codec can't decode byte")
  let layers = 0
  return content
    .toString()
    .split(/(?<=\n)/)
    .map((line) => {
      const stripped = line.trimStart()
      const isMark = LAYER_MARKS.some((mark) => mark.test(stripped))
      return isMark ? `${stripped}M117 OBICO_LAYER_INDICATOR ${++layers}\r\n` : stripped
    })
    .join('')
}

/** One running OctoPrint agent. */
export class OctoprintFlavour implements Flavour {
  readonly queueLimit = 1000
  readonly duplicateMemory = 25
  readonly retryCapSeconds = 1200
  readonly uploadFolder = 'ObicoUpload'
  readonly callsBlockReader = true
  readonly busyError = 'Printer is busy'
  #host: Host
  #terminal = { isOn: false }
  #printTs = -1
  #fileId: number | null = null
  #isDownloading = false
  #boostedUntil = 0
  #layer: number
  #lastPosted = -Infinity
  /** The state that OctoPrint shows; it follows the machine through the events in their order. */
  #shown: PrinterState
  /** What a pause turns off once it takes hold: the firmware finishes heating before it reads the next line. */
  #turnsOff = { tools: false, bed: false }
  /** Extruder target that a pause took away and a resume gives back. */
  #heldTarget = 0
  #events: Promise<void> = Promise.resolve()
  // The order of events and states is the captured one.
  #handlers: Partial<Record<PrinterHappening, () => Promise<void> | void>> = {
    started: () => this.#begin(),
    pausing: () => this.#show('pausing'),
    paused: () => {
      this.#turnOff()
      const { x, y, z } = this.#host.printer.position
      this.#postEvent('PrintPaused', { position: { x, y, z, t: 0, e: 0, f: 600 } })
      this.#show('paused')
    },
    resuming: () => {
      this.#show('resuming')
      this.#postEvent('PrintResumed')
    },
    resumed: () => this.#show('printing'),
    cancelling: () => {
      this.#shown = 'cancelling'
      this.#postEvent('PrintCancelling')
      this.#show('cancelling')
    },
    cancelled: () => {
      const time = this.#host.printer.printTime
      this.#postEvent('PrintCancelled', { time })
      this.#postEvent('PrintFailed', { time, reason: 'cancelled' })
      this.#end('operational')
    },
    finishing: () => this.#show('finishing'),
    done: () => {
      this.#postEvent('PrintDone', { time: this.#host.printer.printTime })
      this.#end('operational')
    },
    failed: () => this.#fail('operational'),
  }

  constructor(host: Host) {
    this.#host = host
    this.#shown = host.printer.state
    this.#layer = host.printer.layer
  }

  stores(content: Buffer): string {
    return storedByPlugin(content)
  }

  signature(file: PrintFile): string {
    return `md5:${hashOf(file)}`
  }

  picFields(isBoost: boolean): [string, string][] {
    return isBoost ? [['viewing_boost', 'true']] : []
  }

  start(): void {
    this.#post({ settings: octoprintSettings(this.#host) })
    this.#host.after(SETTINGS_SECONDS, () => this.start())
  }

  /** Settings are not sent again after a reconnect. */
  opened(): void {}

  boost(): void {
    this.#boostedUntil = performance.now() + (BOOST_LASTS_SECONDS * 1000) / this.#host.pace.timeScale
  }

  tick(): void {
    this.#followPower()
    this.#followLayers()
    const { statusEverySeconds, timeScale } = this.#host.pace
    const usual = performance.now() < this.#boostedUntil ? BOOSTED_SECONDS : STATUS_SECONDS
    const every = statusEverySeconds ? statusEverySeconds * 1000 : (usual * 1000) / timeScale
    if (performance.now() - this.#lastPosted >= every - 20) this.#post()
  }

  /** Every event of OctoPrint makes the plugin report more often, `ZChange` too. */
  #followLayers(): void {
    const { layer } = this.#host.printer
    if (layer !== this.#layer) this.boost()
    this.#layer = layer
  }

  happened(what: PrinterHappening): void {
    const handle = this.#handlers[what]
    if (!handle) return
    this.#events = this.#events
      .then(handle)
      .catch((error: unknown) => this.#host.note('event failed', { error: String(error) }))
  }

  command(cmd: string, args: unknown): void {
    const { printer } = this.#host
    if (cmd === 'pause') this.#pause(args)
    if (cmd === 'resume' && printer.resume() && this.#heldTarget) {
      printer.setTarget('extruder', this.#heldTarget)
      this.#heldTarget = 0
    }
    if (cmd === 'cancel') printer.cancel()
    if (cmd === 'print') throw new Error("'NoneType' object is not callable")
  }

  setDownloading(isDownloading: boolean): void {
    this.#isDownloading = isDownloading
    this.#post()
  }

  call(call: PassthruCall): PassthruReply {
    this.boost()
    return callOctoprint(this.#host, this.#terminal, call)
  }

  #pause(args: unknown): void {
    // The plugin reads keys of it: without an object it raises and nothing is paused.
    if (!isFields(args)) throw new Error("'NoneType' object has no attribute 'get'")
    const { tools_off: toolsOff, bed_off: bedOff } = args
    if (this.#host.printer.pause()) this.#turnsOff = { tools: Boolean(toolsOff), bed: Boolean(bedOff) }
  }

  #turnOff(): void {
    const { printer } = this.#host
    const { tools, bed } = this.#turnsOff
    this.#turnsOff = { tools: false, bed: false }
    if (bed) printer.setTarget('bed', 0)
    if (!tools) return
    this.#heldTarget = printer.heaters.extruder.target
    printer.setTarget('extruder', 0)
  }

  #post(more: Json = {}): void {
    this.#lastPosted = performance.now()
    this.#host.post({
      status: octoprintStatus(this.#host, this.#shown, this.#isDownloading, this.#fileId),
      current_print_ts: this.#printTs,
      ...more,
    })
  }

  #postEvent(name: string, more: Json = {}): void {
    const { file, program } = this.#host.printer
    const size = program?.size ?? null
    const data = file && { name: file.name, path: file.path, origin: 'local', size, ...more }
    this.boost()
    this.#post({ event: { event_type: name, data } })
  }

  #show(state: PrinterState): void {
    this.#shown = state
    this.boost()
    const data = { state_id: state.toUpperCase(), state_string: stateText(state) }
    this.#post({ event: { event_type: 'PrinterStateChanged', data } })
  }

  async #begin(): Promise<void> {
    const { file } = this.#host.printer
    this.#isDownloading = false
    this.#show('starting')
    this.#printTs = Math.trunc(this.#host.now())
    this.#fileId = file && (await registerFile(this.#host, this, file))
    this.#postEvent('PrintStarted')
    this.#show('printing')
  }

  #fail(next: PrinterState): void {
    this.#postEvent('PrintFailed', { time: this.#host.printer.printTime, reason: 'error' })
    this.#end(next)
  }

  #end(next: PrinterState): void {
    this.#printTs = -1
    this.#fileId = null
    this.#show(next)
  }

  /** The serial line went or came back; a print on it is lost. */
  #followPower(): void {
    const isOffline = this.#host.printer.state === 'offline'
    if (isOffline === (this.#shown === 'offline')) return
    if (isOffline && this.#printTs !== -1) this.#fail('offline')
    else this.#end(isOffline ? 'offline' : 'operational')
  }
}
