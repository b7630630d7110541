import type { JsonAction, VoidAction } from '@vigil/contract/assistant/bridge.ts'
import { fieldsOf } from '@vigil/contract/fields.ts'
import { type HostEvent, readEvent } from './events.ts'

/** What the slicer said by one of its three functions, before or after somebody listened. */
type Said = readonly [name: string, words: readonly unknown[]]

declare global {
  interface Window {
    /** The desktop slicer around this page; nobody in a plain browser. */
    wx?: { postMessage(message: unknown): void }
    /** A page that plays the slicer around its frames. */
    slicerAround?: Window['wx']
    /** Keeps what the slicer says until somebody listens (web/embedded.html). */
    vigilHost?: { said: Said[]; hear: ((...said: Said) => void) | null }
    /** What the slicer calls in the page. */
    setJusPrinEmbeddedChatOauthAccessToken?: (token: string) => void
    updateJusPrinEmbeddedChatState?: (name: string, value: unknown) => void
    callJusPrinEmbeddedChatMethod?: (name: string, value: unknown) => void
  }
}

const USUAL_MS = 10_000
/** The person is in a wizard. */
const WIZARD_MS = 86_400_000
const waitOf = (action: JsonAction) =>
  action === 'add_printers' || action === 'add_filaments' ? WIZARD_MS : USUAL_MS

/** The slicer has not answered, or says that it cannot. */
export class HostError extends Error {}

interface Waiting {
  readonly done: (value: unknown) => void
  readonly failed: (error: HostError) => void
}

/** What the slicer has told of itself. */
export interface HostState {
  /** Of the person's account; null: nobody is signed in. */
  readonly token: string | null
  readonly actions: ReadonlySet<string>
}

/** The line between this page and the desktop slicer around it. */
export class Bridge {
  readonly #around: Window
  readonly #waiting = new Map<string, Waiting>()
  readonly #events = new Set<(event: HostEvent) => void>()
  readonly #watchers = new Set<() => void>()
  #asked = 0
  /** A token that the server does not know: the same is not taken again. */
  #worthless: string | null = null
  #state: HostState = { token: null, actions: new Set() }

  constructor(around: Window = window) {
    this.#around = around
    const box = around.vigilHost
    if (!box) return
    box.hear = (...said) => this.#hear(...said)
    for (const said of box.said.splice(0)) this.#hear(...said)
  }

  /** Whether a slicer is around the page. */
  get isThere(): boolean {
    return typeof this.#around.wx?.postMessage === 'function'
  }

  /** Asks the slicer; raises `HostError` when it refuses or does not answer in time. */
  ask(action: JsonAction, payload?: unknown): Promise<unknown> {
    const refId = `vigil-${++this.#asked}`
    const ms = waitOf(action)
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer)
        this.#waiting.delete(refId)
      }
      const timer = setTimeout(() => {
        end()
        reject(new HostError(`${action}: no response within ${ms} ms`))
      }, ms)
      this.#waiting.set(refId, {
        done: (value) => (end(), resolve(value)),
        failed: (error) => (end(), reject(error)),
      })
      this.#post({ action, refId, ...(payload === undefined ? {} : { payload }) })
    })
  }

  /** Tells the slicer to do something that it does not answer to. */
  tell(action: VoidAction, payload?: unknown): void {
    this.#post({ action, ...(payload === undefined ? {} : { payload }) })
  }

  supports(action: VoidAction): boolean {
    return this.#state.actions.has(action)
  }

  /** Hears what happens in the slicer, until it is called off. */
  onEvent(listener: (event: HostEvent) => void): () => void {
    this.#events.add(listener)
    return () => this.#events.delete(listener)
  }

  /** For `useSyncExternalStore`. */
  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }
  readonly state = (): HostState => this.#state

  /** The server does not know the token any more: the slicer may have another. */
  forgetToken({ forGood = false } = {}): void {
    if (forGood) this.#worthless = this.#state.token
    this.#change({ token: null })
    this.tell('refresh_oauth_token')
  }

  #post(message: object): void {
    this.#around.wx?.postMessage(message)
  }

  #change(news: Partial<HostState>): void {
    this.#state = { ...this.#state, ...news }
    for (const watcher of this.#watchers) watcher()
  }

  #hear(name: string, [first, second]: readonly unknown[]): void {
    if (name === 'token') {
      const isToken = typeof first === 'string' && first !== '' && first !== this.#worthless
      this.#change({ token: isToken ? first : null })
    } else if (name === 'state' && first === 'supportedActions' && Array.isArray(second))
      this.#change({ actions: new Set(second.map(String)) })
    else if (name === 'method' && first === 'setAgentActionRetVal') this.#answered(second)
    else if (name === 'method' && first === 'processAgentEvent') {
      const event = readEvent(second)
      if (event) for (const listener of this.#events) listener(event)
    }
  }

  #answered(answer: unknown): void {
    const { refId, retVal, error } = fieldsOf(answer)
    const waiting = this.#waiting.get(String(refId))
    if (!waiting) return
    if (error === undefined || error === null) waiting.done(retVal)
    else waiting.failed(new HostError(typeof error === 'string' ? error : JSON.stringify(error)))
  }
}
