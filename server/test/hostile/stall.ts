import { Worker } from 'node:worker_threads'

const TICK_MS = 5
/** After this long without a tick the process is given up: nothing else ends an endless loop. */
const HUNG_MS = 60_000

const WATCHDOG = `
  const { parentPort, workerData } = require('node:worker_threads')
  const ticks = new Int32Array(workerData.ticks)
  let what = '', seen = -1, since = Date.now()
  parentPort.on('message', (message) => (what = message))
  setInterval(() => {
    if (ticks[0] !== seen) [seen, since] = [ticks[0], Date.now()]
    else if (Date.now() - since > workerData.hungMs) {
      require('node:fs').writeSync(2, 'The event loop hangs at: ' + what + '\\n')
      process.kill(process.pid, 'SIGKILL')
    }
  }, 1000)`

/**
 * The longest time for which this thread kept its event loop from turning, counted in its own processor time, so
 * that what else runs on the machine does not count.
 */
export class StallMeter {
  readonly #ticks = new Int32Array(new SharedArrayBuffer(4))
  readonly #watchdog: Worker
  readonly #timer: NodeJS.Timeout
  #last = process.threadCpuUsage()
  #longest = 0

  constructor() {
    this.#watchdog = new Worker(WATCHDOG, {
      eval: true,
      workerData: { ticks: this.#ticks.buffer, hungMs: HUNG_MS },
    })
    this.#watchdog.unref()
    this.#timer = setInterval(() => this.#tick(), TICK_MS)
  }

  /** What comes next, should it never end. */
  announce(what: string): void {
    this.#watchdog.postMessage(what)
  }

  /** Does it, and answers what it gave with its longest stall in milliseconds. */
  async measure<T>(what: () => Promise<T>): Promise<{ result: T; ms: number }> {
    this.#tick()
    this.#longest = 0
    const result = await what()
    this.#tick()
    return { result, ms: this.#longest }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#watchdog.terminate()
  }

  #tick(): void {
    Atomics.add(this.#ticks, 0, 1)
    const { user, system } = process.threadCpuUsage(this.#last)
    this.#last = process.threadCpuUsage()
    this.#longest = Math.max(this.#longest, (user + system) / 1000)
  }
}
