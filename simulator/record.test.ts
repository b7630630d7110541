import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import WebSocket from 'ws'
import { recorder } from './record.ts'
import { startStubServer, type StubServer } from './stub-server.ts'

let stub: StubServer
let close = () => {}

afterEach(async () => {
  close()
  await stub.stop()
})

test('what an agent and its server say goes through, and is written down in order', async () => {
  stub = await startStubServer()
  const lines: Record<string, unknown>[] = []
  const server = recorder(stub.url, (line) => lines.push(line)).listen(0, '127.0.0.1')
  close = () => server.close()
  await once(server, 'listening')
  const base = `127.0.0.1:${(server.address() as AddressInfo).port}`

  const answer = await fetch(`http://${base}/api/v1/octo/printer/`, { headers: { authorization: 'Token t' } })
  expect(answer.status).toBe(200)
  const told = await answer.json()
  expect(lines).toMatchObject([
    { kind: 'http', method: 'GET', url: '/api/v1/octo/printer/', auth: 'Token t', status: 200, reply: told },
  ])

  const ws = new WebSocket(`ws://${base}/ws/dev/`, { headers: { authorization: 'bearer t' } })
  await once(ws, 'open')
  ws.send('{"current_print_ts":-1}')
  await expect.poll(() => stub.sockets.length > 0 && lines.some(({ kind }) => kind === 'json')).toBe(true)
  ws.close()
  await expect.poll(() => lines.at(-1)?.['kind']).toBe('close')
  expect(lines.map(({ kind }) => kind).filter((kind) => kind !== 'server')).toEqual([
    'http',
    'open',
    'json',
    'close',
  ])
})
