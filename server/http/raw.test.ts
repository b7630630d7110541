import { createHmac, timingSafeEqual } from 'node:crypto'
import { endpoint } from '@vigil/contract/endpoint.ts'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { readConfig } from '../config.ts'
import type { Ctx } from '../ctx.ts'
import { createApp } from './app.ts'
import { parseJson } from './bodies.ts'
import { badRequest, forbidden } from './errors.ts'
import { route } from './route.ts'

const SECRET = 'whsec'
const webhook = endpoint({
  method: 'POST',
  path: '/api/v1/webhook/',
  callers: ['anyone'],
  summary: 'What another service tells',
  raw: true,
  bodyLimit: 1_000,
  response: z.unknown(),
})

let app: FastifyInstance
beforeAll(async () => {
  const ctx = { config: readConfig({ NODE_ENV: 'test' }), log: pino({ level: 'silent' }) } as unknown as Ctx
  const nobody = () => Promise.resolve(null)
  app = await createApp(ctx, { session: nobody, accessToken: nobody, printerToken: nobody })
  route(app, webhook, ({ raw, body, request }) => {
    const nothing: undefined = body
    if (nothing !== undefined) throw badRequest('It was read.')
    const given = Buffer.from(String(request.headers['x-signature']), 'hex')
    const own = createHmac('sha256', SECRET).update(raw).digest()
    if (given.length !== own.length || !timingSafeEqual(given, own))
      throw forbidden('The signature is wrong.')
    return { bytes: raw.length, said: raw.length > 0 ? parseJson(raw.toString()) : null }
  })
  await app.ready()
})
afterAll(() => app.close())

const signed = (body: string, secret = SECRET) => createHmac('sha256', secret).update(body).digest('hex')
const post = (body: string, signature: string, type?: string) =>
  app.inject({
    method: 'POST',
    url: webhook.path,
    headers: { host: 'a', 'x-signature': signature, ...(type ? { 'content-type': type } : {}) },
    body,
  })

test('a signature over the bytes that came holds, however they are spaced and whatever type they say', async () => {
  // Read and written again, this is another text.
  const body = '{ "b":1.0,\n "a" : "\\u00e4" }'
  for (const type of [
    'application/json',
    'application/x-www-form-urlencoded',
    'text/plain',
    'multipart/form-data',
    undefined,
  ]) {
    const answer = await post(body, signed(body), type)
    expect([type, answer.statusCode, answer.json()]).toEqual([
      type,
      200,
      { bytes: body.length, said: { b: 1, a: 'ä' } },
    ])
  }
  expect((await post('', signed(''))).json()).toEqual({ bytes: 0, said: null })
})

test('one of another body or by another secret does not', async () => {
  const body = '{"paid":true}'
  for (const wrong of [signed('{"paid":false}'), signed(body, 'other'), '', 'zz'])
    expect((await post(body, wrong, 'application/json')).statusCode).toBe(403)
})

test('more than the route takes is not held, whatever type it says', async () => {
  const body = 'x'.repeat(1_001)
  for (const type of ['application/json', 'text/plain', undefined])
    expect((await post(body, signed(body), type)).statusCode).toBe(413)
})
