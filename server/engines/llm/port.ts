/** What one message of a conversation with a model says. */
export interface LlmMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly text: string
  /** `data:image/…`; only beside a user's text. */
  readonly pictures?: readonly string[]
}

/** A function that a model may call instead of answering. */
export interface LlmTool {
  readonly name: string
  readonly description: string
}

export interface LlmAsking {
  readonly messages: readonly LlmMessage[]
  readonly tools?: readonly LlmTool[]
  /** The answer is JSON of this shape (JSON Schema). Whoever asks checks it: not every server holds to it. */
  readonly shape?: { readonly name: string; readonly schema: Record<string, unknown> }
}

/** Its words, or the function that it wants called. */
export interface LlmAnswer {
  readonly text: string
  readonly tool: string | null
}

/** The model did not answer: away, too slow, refusing, or talking without an end. `message` says which. */
export class LlmFailed extends Error {
  override readonly name = 'LlmFailed'
}

/** A model behind a URL. */
export interface Llm {
  readonly model: string
  /** Raises `LlmFailed`. */
  ask(asking: LlmAsking, signal: AbortSignal): Promise<LlmAnswer>
}
