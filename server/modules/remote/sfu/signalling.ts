import type { Answer } from '../janus/answers.rules.ts'
import { PLUGIN, type Request } from '../janus/janus.rules.ts'

/** Whoever does not answer within this time is not there. */
const ANSWER_MS = 10_000
/** A Janus says goodbye to who is silent for a minute. */
const KEEPALIVE_MS = 20_000

export type Body = Extract<Request, { janus: 'message' }>['body']
export type Jsep = NonNullable<Extract<Request, { janus: 'message' }>['jsep']>

/** A Janus said no; `answer` is how. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly answer: Answer | null

  constructor(answer: Answer | null) {
    super('the Janus refused')
    this.answer = answer
  }
}

interface Waiting {
  resolve(answer: Answer): void
  readonly timer: NodeJS.Timeout
}

let count = 0

/** One session with one handle at a printer's Janus, as a viewer has it (docs/wire/agents.md 4.4). */
export class Talk {
  readonly #say: (request: Request) => void
  readonly #waiting = new Map<string, Waiting>()
  #session: number | null = null
  #handle: number | null = null
  #beat: NodeJS.Timeout | undefined
  #isOver = false

  constructor(say: (request: Request) => void) {
    this.#say = say
  }

  /** Creates, and attaches. Raises `Refused`. */
  async open(): Promise<void> {
    const created = await this.#ask((transaction) => ({ janus: 'create', transaction }))
    this.#session = idOf(created)
    const session_id = this.#session
    if (this.#isOver) {
      this.#destroy()
      throw new Refused(null)
    }
    this.#beat = setInterval(() => this.#keepAlive(), KEEPALIVE_MS)
    this.#handle = idOf(
      await this.#ask((transaction) => ({ janus: 'attach', transaction, session_id, plugin: PLUGIN })),
    )
  }

  /** Says something to the plugin, and resolves with its answer. Raises `Refused`. */
  async message(body: Body, jsep?: Jsep): Promise<Answer> {
    const at = { session_id: this.#session ?? 0, handle_id: this.#handle ?? 0 }
    return await this.#ask((transaction) => ({
      janus: 'message',
      ...at,
      transaction,
      body,
      ...(jsep ? { jsep } : {}),
    }))
  }

  /** True for what is ours. */
  hear(answer: Answer): boolean {
    const { transaction } = answer
    const waiting = transaction === undefined ? undefined : this.#waiting.get(transaction)
    if (transaction !== undefined && waiting !== undefined) {
      if (answer.janus === 'ack') return true
      this.#waiting.delete(transaction)
      clearTimeout(waiting.timer)
      waiting.resolve(answer)
      return true
    }
    return this.#session !== null && answer.session_id === this.#session
  }

  /** Leaves nothing behind. What is still being made is ended as soon as it is there. */
  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    clearInterval(this.#beat)
    if (this.#session !== null) this.#destroy()
  }

  #keepAlive(): void {
    if (this.#session !== null)
      this.#say({ janus: 'keepalive', session_id: this.#session, transaction: `f${++count}` })
  }

  #destroy(): void {
    if (this.#session !== null)
      this.#say({ janus: 'destroy', session_id: this.#session, transaction: `f${++count}` })
  }

  async #ask(requestOf: (transaction: string) => Request): Promise<Answer> {
    const transaction = `f${++count}`
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const timer = setTimeout(() => {
      this.#waiting.delete(transaction)
      reject(new Refused(null))
    }, ANSWER_MS)
    this.#waiting.set(transaction, { resolve, timer })
    this.#say(requestOf(transaction))
    const answer = await promise
    const isError = answer.janus === 'error'
    const isPluginsError = 'plugindata' in answer && answer.plugindata?.data.error_code !== undefined
    if (isError || isPluginsError) throw new Refused(answer)
    return answer
  }
}

function idOf(answer: Answer): number {
  const id = answer.janus === 'success' ? answer.data?.id : undefined
  if (id === undefined) throw new Refused(answer)
  return id
}
