/** The Klipper agent: when moonraker-obico 2.1.4 says what (docs/wire/agents.md 5, 7, captures/moonraker). */
import { klipperSettings, klipperStatus, plainText } from './klipper-status.ts'
import { callMoonraker } from './moonraker.ts'
import { registerFile } from './passthru.ts'
import type { PrinterHappening, PrintFile } from './printer.ts'
import type { Flavour, Host } from './flavour.ts'
import type { Json, PassthruCall, PassthruReply } from './types.ts'

const NOT_SUPPORTED =
  'Request not supported. Please make sure moonraker-obico is updated to the latest version. If moonraker-obico is already up to date and you still see this error, please contact Obico support at support@obico.io'
const STATUS_SECONDS = 30
const TRANSIENT_LIMIT_SECONDS = 30
const DOWNLOAD_LIMIT_SECONDS = 600
const DOWNLOADING = 'G-Code Downloading'
const TRANSITIONAL = new Set(['pausing', 'resuming', 'cancelling'])
const TRANSIENT_OF: Record<string, string> = { pause: 'Pausing', resume: 'Resuming', cancel: 'Cancelling' }

/** One running Klipper agent. */
export class KlipperFlavour implements Flavour {
  readonly queueLimit = 50
  readonly duplicateMemory = 100
  readonly retryCapSeconds = 120
  readonly uploadFolder = 'Obico_Upload'
  readonly callsBlockReader = false
  readonly busyError = 'Printer busy!'
  #host: Host
  #printTs = -1
  #fileId: number | null = null
  /** The state text that the agent injects while an action runs. */
  #transient: string | null = null
  #transientSince = 0
  #hasCamera = false
  #owesSettings = false
  #wasOffline = false
  #lastText = ''
  #lastPosted = -Infinity
  #events: Promise<void> = Promise.resolve()
  #pendingEvents = 0
  #handlers: Partial<Record<PrinterHappening, () => Promise<void> | void>> = {
    started: () => this.#begin(),
    paused: () => this.#settle('PrintPaused'),
    resumed: () => this.#settle('PrintResumed'),
    cancelled: () => this.#tellCancel(),
    failed: () => {
      this.#post('PrintFailed')
      this.#end()
    },
    done: () => {
      this.#post('PrintDone', 'Operational')
      this.#forgetPrint()
    },
  }

  constructor(host: Host) {
    this.#host = host
    if (host.printer.isBusy) this.#printTs = host.history.startedAt
  }

  stores(content: Buffer): string {
    return content.toString()
  }

  signature(file: PrintFile): string {
    return `ts:${file.modified}`
  }

  picFields(isBoost: boolean): [string, string][] {
    return [
      ['is_primary_camera', 'True'],
      ['is_nozzle_camera', 'False'],
      ['camera_name', ''],
      ['viewing_boost', isBoost ? 'True' : 'False'],
    ]
  }

  start(): void {
    const { file } = this.#host.printer
    this.#host.post({})
    // In the middle of a print a new process asks for the file's record again and tells no event.
    if (this.#printTs !== -1 && file) {
      void registerFile(this.#host, this, file).then((id) => {
        this.#fileId = id
      })
    }
    // The webcams are known only once streaming is up; until then settings say null.
    this.#host.after(1, () => this.opened())
    this.#host.after(2, () => {
      this.#hasCamera = true
      this.#owesSettings = true
      this.#lastPosted = -Infinity
    })
  }

  opened(): void {
    this.#host.post({ settings: klipperSettings(this.#host, this.#hasCamera) })
  }

  /** This agent's pace doesn't depend on who looks. */
  boost(): void {}

  tick(): void {
    if (this.#host.printer.state === 'offline') {
      this.#wasOffline = true
      if (this.#printTs !== -1) this.#host.history.isBehind = true
      this.#host.post({})
      return
    }
    if (this.#wasOffline) this.#forgetPrint()
    // A status in the middle of an event would tell its end before the event does.
    if (!this.#hasCamera || this.#pendingEvents) return
    this.#expireTransient()
    const { statusEverySeconds, timeScale } = this.#host.pace
    const every = statusEverySeconds ? statusEverySeconds * 1000 : (STATUS_SECONDS * 1000) / timeScale
    const isDue = performance.now() - this.#lastPosted >= every - 20
    if (isDue || this.#text() !== this.#lastText) this.#post()
  }

  happened(what: PrinterHappening): void {
    const handle = this.#handlers[what]
    if (!handle) return
    this.#pendingEvents += 1
    this.#events = this.#events
      .then(handle)
      .catch((error: unknown) => this.#host.note('event failed', { error: String(error) }))
      .finally(() => {
        this.#pendingEvents -= 1
      })
  }

  command(cmd: string): void {
    const { printer } = this.#host
    const text = TRANSIENT_OF[cmd]
    if (!text || printer.state === 'offline') return
    this.#inject(text)
    const worked = cmd === 'pause' ? printer.pause() : cmd === 'resume' ? printer.resume() : printer.cancel()
    if (!worked) this.#transient = null
  }

  setDownloading(isDownloading: boolean): void {
    this.#inject(isDownloading ? DOWNLOADING : null)
  }

  call(call: PassthruCall): PassthruReply {
    const { printer } = this.#host
    const [first, second] = call.args
    switch (`${call.target}.${call.func}`) {
      case '_printer.jog':
        printer.jog(first ?? {})
        return { ret: null }
      case '_printer.home':
        printer.home(Array.isArray(first) ? first.map(String) : [])
        return { ret: null }
      case '_printer.set_temperature':
        printer.setTarget(String(first).includes('bed') ? 'bed' : 'extruder', Number(second))
        return { ret: null }
    }
    if (call.target === 'moonraker_api') return callMoonraker(this.#host, call.func, call.kwargs)
    return { error: NOT_SUPPORTED }
  }

  #text(): string {
    return this.#transient ?? plainText(this.#host)
  }

  #inject(text: string | null): void {
    this.#transient = text
    this.#transientSince = performance.now()
    this.#post()
  }

  #post(event?: string, text = this.#text()): void {
    const message: Json = {
      current_print_ts: this.#printTs,
      status: klipperStatus(this.#host, text, this.#fileId),
    }
    if (event) message.event = { event_type: event }
    else this.#lastText = text
    if (this.#owesSettings) message.settings = klipperSettings(this.#host, true)
    this.#owesSettings = false
    this.#lastPosted = performance.now()
    this.#host.post(message)
  }

  async #begin(): Promise<void> {
    const { history, printer } = this.#host
    const { file } = printer
    if (!history.isBehind) history.startedAt = Math.trunc(this.#host.now())
    history.isBehind = false
    this.#printTs = history.startedAt
    this.#fileId = file && (await registerFile(this.#host, this, file))
    // Without a record of the file PrintStarted is never sent; statuses carry the print all the same.
    if (this.#fileId !== null) this.#post('PrintStarted')
    this.#transient = null
  }

  #settle(event: string): void {
    this.#post(event)
    this.#transient = null
  }

  /** PrintCancelled, half a second later PrintFailed, then the status of an idle printer. */
  #tellCancel(): Promise<void> {
    this.#transient = 'Cancelling'
    this.#post('PrintCancelled')
    return new Promise((resolve) => {
      this.#host.after(0.5, () => {
        this.#post('PrintFailed')
        this.#host.after(0.3, () => {
          this.#end()
          resolve()
        })
      })
    })
  }

  #end(): void {
    this.#forgetPrint()
    this.#post()
  }

  #forgetPrint(): void {
    this.#wasOffline = false
    this.#printTs = -1
    this.#fileId = null
    this.#transient = null
    this.#lastText = ''
  }

  /** An injected text goes when its action never took hold. */
  #expireTransient(): void {
    if (!this.#transient || TRANSITIONAL.has(this.#host.printer.state)) return
    const limit = this.#transient === DOWNLOADING ? DOWNLOAD_LIMIT_SECONDS : TRANSIENT_LIMIT_SECONDS
    const age = performance.now() - this.#transientSince
    if (age > (limit * 1000) / this.#host.pace.timeScale) this.#transient = null
  }
}
