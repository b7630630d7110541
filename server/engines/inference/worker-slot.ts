/** One worker thread with its life: starts, serves one task at a time, is restarted after a crash or a hang. */
import { Worker } from 'node:worker_threads'
import { BadPicture, DetectorUnavailable } from './port.ts'
import type { WorkerMessage } from './protocol.ts'

/** A picture or a start that takes longer is not waited for when the slot closes. */
const CLOSE_WITHIN_MS = 3_000

export interface SlotOptions {
  script: URL
  workerData: unknown
  /** A task that takes longer is a hang: the thread is terminated. Milliseconds. */
  hangMs: number
  /** First and longest wait before a restart, milliseconds; doubles with each failure in a row. */
  backoffMs: readonly [number, number]
  /** Called on every change of state. */
  onChange: () => void
  /** The name the worker will give itself: it is known to start, and does with its first task. */
  proven?: string | null
}

/** A task in flight. */
export interface Job {
  message: unknown
  transfer: ArrayBuffer[]
  resolve(result: unknown): void
  reject(error: Error): void
}

/** Owns a worker thread and its timers; `close` ends them. Holds the process only while it works. */
export class WorkerSlot {
  state: 'asleep' | 'starting' | 'idle' | 'busy' | 'resting' | 'closed' = 'starting'
  /** The name the worker gave itself, such as its model's. */
  name = ''
  error = 'still starting'
  readonly #options: SlotOptions
  #worker: Worker | null = null
  #job: Job | null = null
  #hang: NodeJS.Timeout | undefined
  #restart: NodeJS.Timeout | undefined
  #failures = 0

  constructor(options: SlotOptions) {
    this.#options = options
    const { proven } = options
    if (proven) {
      this.name = proven
      this.state = 'asleep'
    } else this.#start()
  }

  /** Gives the idle worker a task, or wakes the one that sleeps for it. */
  run(job: Job): void {
    this.#job = job
    if (this.state === 'asleep') return this.#start()
    this.state = 'busy'
    const { hangMs } = this.#options
    this.#hang = setTimeout(() => this.#fail(`a picture took longer than ${hangMs} ms`), hangMs)
    this.#worker?.ref()
    this.#worker?.postMessage({ task: job.message }, job.transfer)
  }

  /** True while it has a task, or starts for one. */
  get isWanted(): boolean {
    return this.#job !== null
  }

  /** Stops for good; the task in flight is rejected. */
  async close(): Promise<void> {
    const worker = this.#worker
    const isInside = this.state === 'busy' || this.state === 'starting'
    this.#stop('closed', 'the detector is closed')
    // A thread that is ended inside the native library takes the whole process along.
    if (worker && isInside) await nextWord(worker)
    await worker?.terminate()
  }

  #start(): void {
    this.state = 'starting'
    const { script, workerData } = this.#options
    const worker = new Worker(script, { workerData, execArgv: [] })
    this.#worker = worker
    const mine = (act: () => void) => this.#worker === worker && act()
    worker.on('message', (message: WorkerMessage<unknown>) => mine(() => this.#hear(message)))
    worker.on('error', (error) =>
      mine(() => this.#fail(error instanceof Error ? error.message : String(error))),
    )
    worker.on('exit', (code) => mine(() => this.#fail(`the worker thread ended with code ${code}`)))
  }

  #hear(message: WorkerMessage<unknown>): void {
    if (message.type === 'failed') return this.#fail(message.message)
    if (message.type === 'ready') this.name = message.name
    else this.#failures = 0
    // What it was woken for.
    if (message.type === 'ready' && this.#job !== null) return this.run(this.#job)
    clearTimeout(this.#hang)
    const job = this.#job
    this.#job = null
    this.state = 'idle'
    this.#worker?.unref()
    if (message.type === 'done') job?.resolve(message.result)
    if (message.type === 'error') job?.reject(errorOf(message))
    this.#options.onChange()
  }

  #fail(reason: string): void {
    const worker = this.#worker
    this.#stop('resting', reason)
    // A hung native call can't be waited for; the thread ends when it returns.
    void worker?.terminate()
    const [first, longest] = this.#options.backoffMs
    const wait = Math.min(longest, first * 2 ** this.#failures++)
    this.#restart = setTimeout(() => this.#start(), wait).unref()
    this.#options.onChange()
  }

  #stop(state: 'resting' | 'closed', reason: string): void {
    clearTimeout(this.#hang)
    clearTimeout(this.#restart)
    this.#worker = null
    this.state = state
    this.error = reason
    const job = this.#job
    this.#job = null
    job?.reject(new DetectorUnavailable(reason))
  }
}

/** Resolves when the worker has answered, ended, or let us wait too long. */
function nextWord(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, CLOSE_WITHIN_MS)
    for (const event of ['message', 'error', 'exit']) {
      worker.once(event, () => {
        clearTimeout(timer)
        resolve()
      })
    }
  })
}

function errorOf({ name, message }: { name: string; message: string }): Error {
  return name === 'BadPicture' ? new BadPicture(message) : new DetectorUnavailable(message)
}
