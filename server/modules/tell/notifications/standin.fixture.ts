import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** What a stand-in for somebody's server was asked. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly text: string
  readonly json: any
  readonly at: number
  /** It was answered 2xx, and the answer went out. */
  wasAccepted: boolean
}

type Answer = (asked: Asked, response: ServerResponse) => unknown

/** A server that stands in for a vendor's: `answer` writes the response, or returns what it says as JSON. */
export async function aStandIn(first: Answer = () => ({})) {
  const asked: Asked[] = []
  const state = { answer: first }
  const server = createServer((request, response) => {
    void (async () => {
      const body = await buffer(request)
      const text = body.toString()
      let json = null
      try {
        json = JSON.parse(text)
      } catch {
        // No JSON.
      }
      const one = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body,
        text,
        json,
        at: Date.now(),
        wasAccepted: false,
      }
      response.on('finish', () => (one.wasAccepted = response.statusCode < 300))
      asked.push(one)
      const said = await state.answer(one, response)
      if (response.writableEnded || response.headersSent) return
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(said ?? {}))
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    asked,
    answers: (answer: Answer) => void (state.answer = answer),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
export type StandIn = Awaited<ReturnType<typeof aStandIn>>

/** An answer with a status. */
export const status =
  (code: number, said: object = {}, headers: Record<string, string> = {}): Answer =>
  (_asked, response) => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(said))
  }

/** The parts of a multipart body by their names. */
export async function formOf({ headers, body }: Asked): Promise<FormData> {
  const response = new Response(new Uint8Array(body), {
    headers: { 'content-type': headers['content-type'] ?? '' },
  })
  return await response.formData()
}
