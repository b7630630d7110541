import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type SimulatedPrinter,
  type SimulatorOptions,
  startSimulatedPrinter,
} from '@vigil/simulator/index.ts'
import type { TestApp } from '../../../test/app.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { lineOf } from './lines.ts'
import { type TunnelAnswer, TunnelFailed, type TunnelRequest } from '../wire/port.ts'
import { asId } from '../../../test/ids.ts'

/** What stands in for the printer's page. */
export interface LocalPage {
  readonly url: string
  readonly server: Server
  /** The requests that came, as `GET /path`. */
  readonly asked: string[]
  close(): void
}

export async function localPage(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<LocalPage> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    server,
    asked,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** A simulated agent of a printer, connected to this node. */
export async function simulatedAgent(
  app: TestApp,
  printer: { id: number; auth_token: string },
  options: Partial<SimulatorOptions> = {},
): Promise<SimulatedPrinter> {
  const agent = startSimulatedPrinter({
    server: app.url,
    token: printer.auth_token,
    light: true,
    withoutPictures: true,
    ...options,
  })
  await eventually(() => lineOf(app.ctx, asId(printer.id)) ?? undefined)
  return agent
}

export const aRequest = (path: string, change: Partial<TunnelRequest> = {}): TunnelRequest => ({
  method: 'GET',
  path,
  headers: {},
  signal: AbortSignal.timeout(60_000),
  class: 'document',
  ...change,
})

/** The whole body. */
export async function bytesOf({ body }: Pick<TunnelAnswer, 'body'>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of body) parts.push(part)
  return Buffer.concat(parts)
}

export async function* inPieces(bytes: Buffer, size = 50_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** Why it failed. */
export async function failure(work: Promise<unknown>): Promise<string> {
  return await work.then(
    () => 'nothing',
    (error: unknown) => (error instanceof TunnelFailed ? error.why : String(error)),
  )
}
