/** HTTP as the agents' Python client does it: a fresh connection a call, its own user agent (docs/wire/agents.md 1.1). */
import { randomBytes } from 'node:crypto'
import { request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { Json } from './types.ts'

interface FilePart {
  name: string
  bytes: Buffer
}

interface HttpCall {
  json?: Json
  form?: [string, string][]
  /** Makes the body multipart: fields first, then the file, whose part has no Content-Type. */
  file?: FilePart
  timeoutSeconds?: number
  isAnonymous?: boolean
}

interface HttpReply {
  status: number
  body: Buffer
  json: () => unknown
}

export interface Http {
  call: (method: string, path: string, options?: HttpCall) => Promise<HttpReply>
  /** Fetches any absolute address without credentials, following redirects. */
  fetch: (address: string) => Promise<HttpReply>
  setToken: (token: string) => void
  setCut: (isCut: boolean) => void
}

export interface HttpOptions {
  server: string
  signal: AbortSignal
  report: (message: Json) => void
}

const ENCODINGS: Record<string, (body: Buffer) => Buffer> = {
  gzip: (body) => gunzipSync(body),
  deflate: (body) => inflateSync(body),
  br: (body) => brotliDecompressSync(body),
}

/** An HTTP client for one agent. */
export function createHttp(options: HttpOptions): Http {
  let token = ''
  let isCut = false
  const send = async (method: string, address: string, call: HttpCall): Promise<HttpReply> => {
    if (isCut) throw new Error('Network is unreachable')
    const headers: Record<string, string | number> = {
      'User-Agent': 'python-requests/2.28.1',
      'Accept-Encoding': 'gzip, deflate, br',
      Accept: '*/*',
      Connection: 'keep-alive',
    }
    if (token && !call.isAnonymous) headers.Authorization = `Token ${token}`
    const body = encodeBody(call, headers)
    if (method !== 'GET') headers['Content-Length'] = body.length
    return exchange(method, address, headers, body, call.timeoutSeconds ?? 60, options.signal)
  }
  return {
    call: async (method, path, call = {}) => {
      try {
        const reply = await send(method, options.server + path, call)
        options.report({ method, path, fields: fieldsOf(call), status: reply.status })
        return reply
      } catch (error) {
        options.report({ method, path, fields: fieldsOf(call), error: String(error) })
        throw error
      }
    },
    fetch: (address) => send('GET', address, { isAnonymous: true, timeoutSeconds: 1800 }),
    setToken: (value) => {
      token = value
    },
    setCut: (value) => {
      isCut = value
    },
  }
}

function fieldsOf(call: HttpCall): Json {
  const fields: Json = { ...call.json, ...Object.fromEntries(call.form ?? []) }
  if (call.file) fields[call.file.name] = `<${call.file.bytes.length} bytes>`
  return fields
}

function encodeBody(call: HttpCall, headers: Record<string, string | number>): Buffer {
  if (call.json) {
    headers['Content-Type'] = 'application/json'
    return Buffer.from(JSON.stringify(call.json))
  }
  if (call.file) {
    const boundary = randomBytes(16).toString('hex')
    headers['Content-Type'] = `multipart/form-data; boundary=${boundary}`
    const fields = (call.form ?? []).map(
      ([name, value]) =>
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${call.file.name}"; filename="${call.file.name}"\r\n\r\n`
    return Buffer.concat([
      Buffer.from(fields.join('') + head),
      call.file.bytes,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ])
  }
  if (!call.form) return Buffer.alloc(0)
  headers['Content-Type'] = 'application/x-www-form-urlencoded'
  return Buffer.from(new URLSearchParams(call.form).toString())
}

function exchange(
  method: string,
  address: string,
  headers: Record<string, string | number>,
  body: Buffer,
  seconds: number,
  signal: AbortSignal,
): Promise<HttpReply> {
  return new Promise((resolve, reject) => {
    const open = address.startsWith('https:') ? tlsRequest : plainRequest
    const call = open(
      address,
      { method, headers, agent: false, signal, timeout: seconds * 1000 },
      (reply) => {
        const chunks: Buffer[] = []
        reply.on('data', (chunk: Buffer) => chunks.push(chunk))
        reply.on('error', reject)
        reply.on('end', () => {
          call.destroy()
          const location = reply.headers.location
          if (
            method === 'GET' &&
            location &&
            (reply.statusCode ?? 0) >= 300 &&
            (reply.statusCode ?? 0) < 400
          ) {
            exchange(method, new URL(location, address).href, headers, body, seconds, signal).then(
              resolve,
              reject,
            )
            return
          }
          const raw = Buffer.concat(chunks)
          const decode = ENCODINGS[reply.headers['content-encoding'] ?? '']
          const plain = decode ? decode(raw) : raw
          resolve({
            status: reply.statusCode ?? 0,
            body: plain,
            json: (): unknown => JSON.parse(plain.toString()),
          })
        })
      },
    )
    call.on('timeout', () => call.destroy(new Error(`No answer in ${seconds} s`)))
    call.on('error', reject)
    call.end(body)
  })
}
