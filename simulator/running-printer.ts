/** A simulated printer in the hands of a test, a demo or a benchmark. */
import type { Agent } from './agent.ts'
import type { EventLog } from './event-log.ts'
import type { PrinterState } from './printer.ts'
import type { Failure, SimulatedPrinter } from './simulated-printer.ts'
import { sleep } from './socket.ts'
import type { WireEvent } from './types.ts'

const START_AFTER_SECONDS = 3

/** See `SimulatedPrinter`, which says what each of these does. */
export class RunningPrinter implements SimulatedPrinter {
  readonly ready: Promise<string>
  #agent: Agent
  #log: EventLog
  #life: AbortController

  constructor(agent: Agent, log: EventLog, life: AbortController, startsPrint: boolean) {
    this.#agent = agent
    this.#log = log
    this.#life = life
    this.ready = agent.run().then((token) => {
      if (startsPrint) agent.after(START_AFTER_SECONDS, () => void this.startPrint())
      return token
    })
    // A caller that never looks at `ready` still sees the reason among the events.
    this.ready.catch((error: unknown) => agent.note('not linked', { error: String(error) }))
  }

  get state(): PrinterState {
    return this.#agent.printer.state
  }

  get layer(): number {
    return this.#agent.printer.layer
  }

  get completion(): number {
    return this.#agent.printer.completion
  }

  get isConnected(): boolean {
    return this.#agent.socket?.isConnected ?? false
  }

  get hasGoneSilent(): boolean {
    return this.#agent.socket?.hasGoneSilent ?? false
  }

  get events(): readonly WireEvent[] {
    return this.#log.events
  }

  startPrint(path?: string): boolean {
    const { files, printer } = this.#agent
    const file = path ? files.get(path) : [...files.values()][0]
    return file ? printer.start(file) : false
  }

  removeFile(path: string): boolean {
    return this.#agent.files.delete(path)
  }

  pause(): boolean {
    return this.#agent.printer.pause()
  }

  resume(): boolean {
    return this.#agent.printer.resume()
  }

  cancel(): boolean {
    return this.#agent.printer.cancel()
  }

  fail(kind: Failure, layer?: number): void {
    this.#agent.isDetached = kind === 'detached'
    if (layer === undefined) this.#agent.printer.spill()
    else this.#agent.printer.failAtLayer = layer
  }

  setSpeed(speed: number): void {
    this.#agent.printer.speed = speed
  }

  freezeCamera(isFrozen = true): void {
    this.#agent.camera.freeze(isFrozen)
  }

  darkCamera(isDark = true): void {
    this.#agent.camera.darken(isDark)
  }

  async loseNetwork(ms: number): Promise<void> {
    this.#agent.setCut(true)
    await sleep(ms, this.#life.signal)
    this.#agent.setCut(false)
  }

  dropSocket(): void {
    this.#agent.socket?.drop()
  }

  reportError(text: string): void {
    this.#agent.reportError(text)
  }

  restartAgent(downSeconds = 5): Promise<void> {
    return this.#agent.restart(downSeconds)
  }

  setPower(isOn: boolean): void {
    this.#agent.printer.setPower(isOn)
  }

  plug(isIn: boolean): void {
    this.#agent.printer.plug(isIn)
  }

  clockSkew(seconds: number): void {
    this.#agent.clockSkew = seconds
  }

  kill(): void {
    this.#life.abort()
  }

  async stop(): Promise<void> {
    this.#life.abort()
    await this.ready.catch(() => {})
  }

  snapshot(): Promise<Buffer> {
    return this.#agent.camera.snapshot(this.#agent.scene())
  }

  onEvent(listener: (event: WireEvent) => void): () => void {
    return this.#log.listen(listener)
  }

  waitFor(fits: (event: WireEvent) => boolean, { from = 0, ms = 60_000 } = {}): Promise<WireEvent> {
    return this.#log.wait(fits, ms, from)
  }
}
