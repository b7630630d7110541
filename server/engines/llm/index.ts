import type OpenAI from 'openai'
import type { Config } from '../../config.ts'
import { textOf } from '../../lib/thrown.ts'
import { type Llm, type LlmAsking, LlmFailed, type LlmMessage } from './port.ts'

export { type Llm, type LlmAnswer, LlmFailed, type LlmMessage, type LlmTool } from './port.ts'

type Needs = Pick<
  Config,
  'LLM_BASE_URL' | 'LLM_API_KEY' | 'LLM_MODEL_NAME' | 'VLM_BASE_URL' | 'VLM_API_KEY' | 'VLM_MODEL_NAME'
>

/** The model that talks; null: none is set up, and nothing is ever asked of anybody. */
export function openLlm({ LLM_BASE_URL: url, LLM_API_KEY: key, LLM_MODEL_NAME: model }: Needs): Llm | null {
  return url === undefined && key === undefined ? null : open({ url, key, model })
}

/** The model that sees pictures; null: none is set up. */
export function openVlm(config: Needs): Llm | null {
  const { VLM_BASE_URL: url, VLM_API_KEY: key, VLM_MODEL_NAME: model } = config
  if (url === undefined && key === undefined && model === undefined) return null
  return open({
    url: url ?? config.LLM_BASE_URL,
    key: key ?? config.LLM_API_KEY,
    model: model ?? config.LLM_MODEL_NAME,
  })
}

/** No answer is longer. */
const MOST_BYTES = 1_048_576

/**
 * As `fetch`, but the answer ends where it becomes too long, and nobody is sent on elsewhere with the key. Each call has a connection
 * of its own: one that was kept may be closed by the model's server at the moment it is used again, and people pause between questions.
 */
async function boundedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const headers = new Headers(init?.headers)
  headers.set('connection', 'close')
  const answer = await fetch(input, { ...init, headers, redirect: 'error' })
  let left = MOST_BYTES
  const counted = answer.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        left -= chunk.byteLength
        if (left < 0) controller.error(new LlmFailed('the answer is too long'))
        else controller.enqueue(chunk)
      },
    }),
  )
  return new Response(counted ?? null, {
    status: answer.status,
    statusText: answer.statusText,
    headers: answer.headers,
  })
}

/** A server that speaks OpenAI's API. */
function open({ url, key, model }: { url: string | undefined; key: string | undefined; model: string }): Llm {
  const connect = async () => {
    // read by servers that ask one, not at each start
    const { OpenAI: Client } = await import('openai')
    return new Client({
      // A server of one's own often wants none, the library always.
      apiKey: key ?? 'none',
      baseURL: url ?? 'https://api.openai.com/v1',
      organization: null,
      project: null,
      maxRetries: 0,
      logLevel: 'off',
      fetch: boundedFetch,
    })
  }
  let client: ReturnType<typeof connect> | undefined
  return {
    model,
    async ask(asking, signal) {
      try {
        const { chat } = await (client ??= connect())
        const said = await chat.completions.create(bodyOf(model, asking), { signal })
        const choice = said.choices?.[0]
        if (!choice) throw new LlmFailed('there is no answer in what it said')
        const { refusal, content, tool_calls: calls } = choice.message
        if (refusal) throw new LlmFailed(`it refuses: ${refusal.slice(0, 200)}`)
        if (choice.finish_reason === 'length') throw new LlmFailed('its answer was cut off')
        const call = calls?.find((one) => one.type === 'function')
        return { text: content ?? '', tool: call?.function.name ?? null }
      } catch (error) {
        throw error instanceof LlmFailed ? error : new LlmFailed(textOf(error))
      }
    },
  }
}

type Body = OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming

const bodyOf = (model: string, { messages, tools, shape }: LlmAsking): Body => ({
  model,
  temperature: 0,
  messages: messages.map(messageOf),
  ...(tools
    ? {
        tools: tools.map(({ name, description }) => ({
          type: 'function' as const,
          function: { name, description, parameters: { type: 'object', properties: {} } },
        })),
      }
    : {}),
  ...(shape
    ? {
        response_format: {
          type: 'json_schema' as const,
          json_schema: { name: shape.name, schema: shape.schema, strict: true },
        },
      }
    : {}),
})

function messageOf({ role, text, pictures = [] }: LlmMessage): Body['messages'][number] {
  if (role !== 'user') return { role, content: text }
  if (pictures.length === 0) return { role, content: text }
  return {
    role,
    content: [
      { type: 'text', text },
      ...pictures.map((url) => ({ type: 'image_url' as const, image_url: { url } })),
    ],
  }
}
