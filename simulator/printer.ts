/**
 * The physical machine: heaters, axes, and a G-code file run in accelerated time.
 * It knows nothing of servers. `advance()` is the only thing that moves it, so the same seed and the same
 * calls give the same print (docs/rules/prints.md 4).
 */
import { AMBIENT, coldHeaters, warm } from './heaters.ts'
import { readGcode, type Heater, type Point, type Program, type Step } from './program.ts'
import { seededRandom } from './random.ts'

/** What the machine is doing. The words ending in -ing between two others are transitional. */
export type PrinterState =
  | 'offline'
  | 'operational'
  | 'starting'
  | 'printing'
  | 'pausing'
  | 'paused'
  | 'resuming'
  | 'cancelling'
  | 'finishing'

export type PrinterHappening =
  | 'started'
  | 'pausing'
  | 'paused'
  | 'resuming'
  | 'resumed'
  | 'cancelling'
  | 'cancelled'
  | 'finishing'
  | 'done'
  | 'failed'
  | 'layer'

export interface PrintFile {
  name: string
  /** Path on the printer, with its folder. */
  path: string
  text: string
  /** Seconds since 1970 when the file was stored. */
  modified: number
}

export interface PrinterOptions {
  seed?: number
  speed?: number
  onHappening?: (what: PrinterHappening) => void
}

const TRANSITION_SECONDS = 1

/** One simulated machine; see the module comment. */
export class Printer {
  state: PrinterState = 'operational'
  file: PrintFile | null = null
  program: Program | null = null
  position: Point = { x: 0, y: 0, z: 0 }
  layer = 0
  /** What baby steps have added to the height of the nozzle, in mm. */
  zOffset = 0
  fan = 0
  filamentUsed = 0
  filepos = 0
  printTime = 0
  /** Seconds of moves done, heating not counted. */
  moved = 0
  speed: number
  heaters = coldHeaters()
  /** Filament in mm that came out since the print went wrong; null while all is well. */
  spilled: number | null = null
  /** The last layer that came out well when the print went wrong. */
  spilledAtLayer = 0
  failAtLayer: number | null = null
  isPluggedIn = true
  #index = 0
  #done = 0
  #transition = 0
  #random: () => number
  #say: (what: PrinterHappening) => void

  constructor(options: PrinterOptions = {}) {
    this.speed = options.speed ?? 1
    this.#random = seededRandom(options.seed ?? 1)
    this.#say = options.onHappening ?? (() => {})
  }

  get isBusy(): boolean {
    return this.state !== 'operational' && this.state !== 'offline'
  }

  get completion(): number {
    return this.program ? (this.filepos / this.program.size) * 100 : 0
  }

  get printTimeLeft(): number | null {
    return this.program ? Math.max(0, this.program.seconds - this.moved) : null
  }

  get isHeating(): boolean {
    const step = this.program?.steps[this.#index]
    return this.isBusy && step?.kind === 'heat' && step.waits
  }

  /** Starts a file; false when the machine can't. */
  start(file: PrintFile): boolean {
    if (this.state !== 'operational') return false
    this.file = file
    this.program = readGcode(file.text)
    this.#index = this.#done = this.layer = this.filepos = 0
    this.filamentUsed = this.printTime = this.moved = this.#transition = 0
    this.spilled = null
    this.#enter('starting')
    this.#say('started')
    return true
  }

  pause(): boolean {
    return this.#request('printing', 'pausing')
  }

  resume(): boolean {
    return this.#request('paused', 'resuming')
  }

  cancel(): boolean {
    return this.#request('printing', 'cancelling') || this.#request('paused', 'cancelling')
  }

  /** The firmware stopped with an error: a running print is lost at once. */
  breakDown(): void {
    const wasBusy = this.isBusy
    this.#enter('operational')
    this.heaters.extruder.target = this.heaters.bed.target = 0
    if (wasBusy) this.#say('failed')
  }

  /** Power, serial line or Klipper itself: a print that ran is lost without a word. */
  setPower(on: boolean): void {
    if (on && (this.state !== 'offline' || !this.isPluggedIn)) return
    this.#enter(on ? 'operational' : 'offline')
    this.heaters.extruder.target = this.heaters.bed.target = 0
  }

  /** The USB cable is pulled, or put back: the printer is lost to its agent, serial port and all. */
  plug(isIn: boolean): void {
    this.isPluggedIn = isIn
    this.setPower(isIn)
  }

  setTarget(heater: Heater, target: number): void {
    this.heaters[heater].target = Math.max(0, target)
  }

  jog(by: Partial<Point>): void {
    this.position = {
      x: this.position.x + (by.x ?? 0),
      y: this.position.y + (by.y ?? 0),
      z: this.position.z + (by.z ?? 0),
    }
  }

  home(axes: readonly string[]): void {
    const { x, y, z } = this.position
    this.position = {
      x: axes.includes('x') ? 0 : x,
      y: axes.includes('y') ? 0 : y,
      z: axes.includes('z') ? 0 : z,
    }
  }

  /** Lets `seconds` of wall time pass. */
  advance(seconds: number): void {
    let left = seconds * this.speed
    while (left > 1e-6) {
      const slice = Math.min(left, 1)
      warm(this.heaters, slice, this.#random)
      this.#run(slice)
      left -= slice
    }
  }

  #request(from: PrinterState, to: 'pausing' | 'resuming' | 'cancelling'): boolean {
    if (this.state !== from) return false
    this.#enter(to)
    this.#say(to)
    return true
  }

  #enter(state: PrinterState): void {
    this.state = state
    this.#transition = 0
  }

  #run(seconds: number): void {
    if (!this.isBusy) return
    if (this.state !== 'paused') this.printTime += seconds
    switch (this.state) {
      case 'starting':
        return this.#settle(seconds, 'printing')
      case 'printing':
        return this.#print(seconds)
      case 'pausing':
      case 'cancelling':
        // The firmware finishes M109 and M190 before it listens (docs/wire/agents.md 4.3).
        if (this.isHeating) return this.#print(seconds)
        return this.#settle(seconds, this.state === 'pausing' ? 'paused' : 'operational')
      case 'resuming':
        return this.#settle(seconds, 'printing')
      case 'finishing':
        return this.#settle(seconds, 'operational')
      case 'offline':
      case 'operational':
      case 'paused':
        return
    }
  }

  #settle(seconds: number, next: PrinterState): void {
    const before = this.state
    this.#transition += seconds
    if (this.#transition < TRANSITION_SECONDS && before !== 'starting') return
    if (before === 'cancelling') this.heaters.extruder.target = this.heaters.bed.target = 0
    this.#enter(next)
    if (before === 'pausing') this.#say('paused')
    if (before === 'resuming') this.#say('resumed')
    if (before === 'cancelling') this.#say('cancelled')
    if (before === 'finishing') this.#say('done')
  }

  #print(seconds: number): void {
    const steps = this.program?.steps ?? []
    let left = seconds
    while (left > 1e-9) {
      const step = steps[this.#index]
      if (!step) {
        this.filepos = this.program?.size ?? 0
        this.#enter('finishing')
        this.#say('finishing')
        return
      }
      const spent = this.#perform(step, left)
      if (spent === null) return
      left -= spent
    }
  }

  /** Runs one step for at most `left` seconds and returns what it took; null when it still waits. */
  #perform(step: Step, left: number): number | null {
    if (step.kind === 'heat') {
      const heater = this.heaters[step.heater]
      heater.target = step.target
      if (step.waits && Math.abs(heater.actual - step.target) > 1.2 && step.target > AMBIENT) return null
    }
    if (step.kind === 'fan') this.fan = step.share
    const needed = 'seconds' in step ? step.seconds - this.#done : 0
    const spent = Math.min(needed, left)
    this.#done += spent
    if ('seconds' in step) this.moved += spent
    if (step.kind === 'move') this.#move(step, spent)
    if (step.kind === 'home') this.position = { x: 0, y: 0, z: 0 }
    if (spent < needed) return spent
    this.#index += 1
    this.#done = 0
    this.filepos = step.end
    // A pause asked for while it was heating takes hold now.
    return this.state === 'printing' ? spent : null
  }

  #move(step: Step & { kind: 'move' }, spent: number): void {
    const share = step.seconds ? this.#done / step.seconds : 1
    const { from, to } = step
    this.position = {
      x: from.x + (to.x - from.x) * share,
      y: from.y + (to.y - from.y) * share,
      z: from.z + (to.z - from.z) * share,
    }
    const filament = step.seconds ? (step.filament * spent) / step.seconds : step.filament
    this.filamentUsed += filament
    if (step.filament <= 0) return
    if (step.layer !== this.layer) {
      this.layer = step.layer
      if (this.failAtLayer !== null && this.layer >= this.failAtLayer) this.spill()
      this.#say('layer')
    }
    if (this.spilled !== null) this.spilled += filament
  }

  /** From now on what comes out of the nozzle goes astray. */
  spill(): void {
    if (this.spilled === null) this.spilledAtLayer = this.layer
    this.spilled ??= 0
    this.failAtLayer = null
  }
}
