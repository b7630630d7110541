/** One simulated agent from linking to its last message; it joins machine, camera, HTTP and websocket. */
import { fieldsOf } from '@vigil/contract/fields.ts'
import { chooseCamera, type Camera, type Scene } from './camera.ts'
import { createHttp, type Http } from './http.ts'
import { JanusBridge } from './janus.ts'
import { KlipperFlavour } from './klipper.ts'
import { discover, verifyCode } from './linking.ts'
import { OctoprintFlavour } from './octoprint.ts'
import { tickMs } from './pace.ts'
import { createPassthru, reportPrinterError } from './passthru.ts'
import { createPictures, type Pictures } from './pictures.ts'
import { Printer, type PrintFile } from './printer.ts'
import { AgentSocket, sleep } from './socket.ts'
import { answerSocketTunnel, answerTunnel } from './tunnel.ts'
import type { Flavour, Host } from './flavour.ts'
import type { AgentOptions, FlavourName, JanusSetup, Json, Pace, WireEvent } from './types.ts'

const PAUSE_BETWEEN_PRINTS_SECONDS = 20

/** What dies with the agent's process. */
interface AgentProcess {
  flavour: Flavour
  pictures: Pictures
  passthru: (message: unknown) => Promise<void>
  janus: JanusBridge | null
  end: AbortController
}

/** A machine with its agent; both end by the signal in the options. */
export class Agent implements Host {
  readonly flavourName: FlavourName
  readonly seed: number
  readonly server: string
  readonly printer: Printer
  readonly camera: Camera
  readonly http: Http
  readonly pace: Pace
  readonly remote = { viewing: false, shouldWatch: false }
  readonly files: Map<string, PrintFile>
  readonly localUrl: string | undefined
  readonly janus: JanusSetup | undefined
  readonly identity = { id: 0, isPro: false }
  readonly history = { startedAt: -1, isBehind: false }
  isDetached = false
  clockSkew = 0
  socket: AgentSocket | null = null
  #options: AgentOptions
  #process: AgentProcess
  #token = ''
  #timers = new Set<NodeJS.Timeout>()
  #lastTick = performance.now()
  #idleSince: number | null = null
  /** What it prints again and again, until somebody cancels it or prints something else. */
  #looped: PrintFile | null

  constructor(options: AgentOptions) {
    this.#options = options
    this.flavourName = options.flavour
    this.seed = options.seed
    this.server = options.server
    this.pace = options.pace
    this.localUrl = options.localUrl
    this.janus = options.janus
    this.files = new Map(options.files.map((file) => [file.path, file]))
    this.#looped = options.files[0] ?? null
    this.printer = new Printer({
      seed: options.seed,
      speed: options.speed,
      onHappening: (what) => {
        if (what === 'cancelled') this.#looped = null
        this.#process.flavour.happened(what)
      },
    })
    this.printer.failAtLayer = options.failAtLayer ?? null
    this.camera = chooseCamera(options)
    this.http = createHttp({
      server: options.server,
      signal: options.signal,
      report: (message) => this.#report('http', message),
    })
    this.#process = this.#startProcess()
    options.signal.addEventListener('abort', () => this.#clearTimers(), { once: true })
  }

  /** Links if it must, passes the gate and starts to talk. Resolves with the token once it may. */
  async run(): Promise<string> {
    const { signal, pace } = this.#options
    this.#token = await this.#obtainToken()
    this.http.setToken(this.#token)
    this.#lastTick = performance.now()
    this.#every(tickMs(pace), () => this.#tick())
    await this.#passGate()
    if (!signal.aborted) this.#connect()
    return this.#token
  }

  /**
   * The agent's process ends and comes back after `downSeconds`. Klipper prints on all the while; an OctoPrint
   * that restarts resets the serial line, and its print is lost.
   */
  async restart(downSeconds: number): Promise<void> {
    if (this.flavourName === 'octoprint' && this.printer.state !== 'offline') {
      this.printer.setPower(false)
      this.printer.setPower(true)
    }
    this.#process.end.abort()
    this.#clearTimers()
    this.socket = null
    this.remote.viewing = this.remote.shouldWatch = false
    await sleep((downSeconds * 1000) / this.pace.timeScale, this.#options.signal)
    this.#process = this.#startProcess()
    await this.#passGate()
    if (!this.#options.signal.aborted) this.#connect()
  }

  #startProcess(): AgentProcess {
    const isKlipper = this.flavourName === 'klipper'
    const flavour = isKlipper ? new KlipperFlavour(this) : new OctoprintFlavour(this)
    const end = new AbortController()
    const signal = AbortSignal.any([this.#options.signal, end.signal])
    return {
      flavour,
      pictures: createPictures(this, flavour),
      passthru: createPassthru(this, flavour),
      janus: this.janus ? new JanusBridge(this.janus.address, (message) => this.post(message), signal) : null,
      end,
    }
  }

  #connect(): void {
    const { signal, server, pace } = this.#options
    const { flavour, end } = this.#process
    this.http.call('GET', `/ent/api/printers/${this.identity.id}/ext/`).catch(() => {})
    this.socket = new AgentSocket({
      server,
      token: this.#token,
      queueLimit: flavour.queueLimit,
      reconnectPenaltyMs: pace.reconnectPenaltyMs,
      timeScale: pace.timeScale,
      leavesHalfOpen: this.flavourName === 'octoprint',
      signal: AbortSignal.any([signal, end.signal]),
      onOpen: () => flavour.opened(),
      onMessage: (message) => this.#receive(message),
      report: (kind, message) => this.#report(kind, message),
    })
    flavour.start()
  }

  now(): number {
    return Date.now() / 1000 + this.clockSkew
  }

  post(message: Json, isBinary = false): void {
    this.socket?.post(message, isBinary)
  }

  after(seconds: number, work: () => void): void {
    if (this.#options.signal.aborted) return
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer)
        work()
      },
      (seconds * 1000) / this.pace.timeScale,
    )
    this.#timers.add(timer)
  }

  note(note: string, more: Json = {}): void {
    this.#report('note', { note, ...more })
  }

  scene(): Scene {
    const { printer } = this
    const isWell = printer.spilled === null
    return {
      program: printer.program,
      layer: isWell ? printer.layer : printer.spilledAtLayer,
      nozzle: printer.position,
      isHot: printer.heaters.extruder.actual > 50,
      spilled: printer.spilled,
      isDetached: this.isDetached && !isWell,
    }
  }

  async stallReader(seconds: number): Promise<void> {
    this.socket?.setStalled(true)
    await sleep((seconds * 1000) / this.pace.timeScale, this.#options.signal)
    this.socket?.setStalled(false)
  }

  reportError(text: string): void {
    const title = this.flavourName === 'klipper' ? 'Moonraker Error' : 'OctoPrint Error'
    reportPrinterError(this, title, text).catch((error: unknown) =>
      this.note('error not reported', { error: String(error) }),
    )
  }

  setCut(isCut: boolean): void {
    this.http.setCut(isCut)
    this.socket?.setCut(isCut)
  }

  async #obtainToken(): Promise<string> {
    const { token, code, flavour, server, pace, handshakePort, hostOrIp, signal, onPasscode } = this.#options
    if (token) return token
    if (code) return verifyCode(this.http, code)
    const found = await discover({
      http: this.http,
      flavour,
      server,
      timeScale: pace.timeScale,
      handshakePort,
      hostOrIp,
      signal,
      onPasscode,
      note: (note, more) => this.note(note, more),
    })
    if (!found) throw new Error('Discovery ended without a link')
    return found
  }

  /** `GET octo/printer/` until it works, with full jitter (docs/wire/agents.md 3.1). */
  async #passGate(): Promise<void> {
    const { signal, pace } = this.#options
    for (let attempt = 0; !signal.aborted; attempt++) {
      try {
        const reply = await this.http.call('GET', '/api/v1/octo/printer/')
        const { id, is_pro: isPro } = fieldsOf(fieldsOf(reply.json()).printer)
        if (reply.status === 200 && typeof id === 'number') {
          this.identity.id = id
          this.identity.isPro = isPro === true
          return
        }
      } catch {
        // Every failure is retried for ever.
      }
      await sleep(
        (Math.random() * Math.min(2 ** attempt, this.#process.flavour.retryCapSeconds) * 1000) /
          pace.timeScale,
        signal,
      )
    }
  }

  #tick(): void {
    const now = performance.now()
    this.printer.advance((now - this.#lastTick) / 1000)
    this.#lastTick = now
    if (this.socket) {
      this.#process.flavour.tick()
      if (this.#options.hasPictures) this.#process.pictures.tick()
    }
    if (this.#options.loop) this.#printAgain(now)
  }

  #printAgain(now: number): void {
    const { state, file } = this.printer
    if (state !== 'operational' || file === null || file !== this.#looped) {
      this.#idleSince = null
      return
    }
    this.#idleSince ??= now
    if (now - this.#idleSince < (PAUSE_BETWEEN_PRINTS_SECONDS * 1000) / this.pace.timeScale) return
    this.printer.failAtLayer = this.#options.failAtLayer ?? null
    this.printer.start(file)
  }

  async #receive(message: Json): Promise<void> {
    if (Array.isArray(message.commands))
      for (const one of message.commands.map(fieldsOf))
        this.#process.flavour.command(String(one.cmd), one.args)
    if (typeof message.janus === 'string') this.#process.janus?.say(message.janus)
    if (message.passthru) await this.#process.passthru(message.passthru)
    if (message.remote_status) this.#setRemote(fieldsOf(message.remote_status))
    if (message['http.tunnelv2']) void answerTunnel(this, fieldsOf(message['http.tunnelv2']))
    if (message['ws.tunnel']) await answerSocketTunnel(this, fieldsOf(message['ws.tunnel']))
  }

  #setRemote(status: Json): void {
    if (typeof status.viewing === 'boolean') this.remote.viewing = status.viewing
    if (typeof status.should_watch === 'boolean') this.remote.shouldWatch = status.should_watch
    this.#process.flavour.boost()
    if (this.#options.hasPictures) this.#process.pictures.boost()
  }

  #report(kind: WireEvent['kind'], message: Json): void {
    this.#options.onEvent({ at: Date.now(), kind, message })
  }

  #every(ms: number, work: () => void): void {
    const timer = setInterval(work, ms)
    this.#options.signal.addEventListener('abort', () => clearInterval(timer), { once: true })
  }

  #clearTimers(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
  }
}
