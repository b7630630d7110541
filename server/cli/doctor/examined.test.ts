import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { openPlace } from '../../engines/backups/place.ts'
import { writeSummary } from '../../modules/core/backups/sets.ts'
import { examine } from '../doctor.ts'
import { makeBundle } from './bundle.ts'

const PASSPHRASE = 'three blind mice'
let above: string
let mail: Server
let port: number

const settings = (env: Record<string, string>) =>
  readConfig({ NODE_ENV: 'test', VIGIL_DATA: join(above, 'data'), ...env })

async function found(name: string, env: Record<string, string>) {
  for await (const finding of examine(settings(env), [name])) return finding
  throw new Error(`doctor looks at no ${name}`)
}

/** A place of backups that has one set, made at this time. */
async function aPlace(name: string, set: string | null): Promise<string> {
  const to = join(above, name)
  await mkdir(to)
  const place = await openPlace(settings({ BACKUP_TO: to, BACKUP_PASSPHRASE: PASSPHRASE }))
  const summary = { version: 'test', rows: 1, tables: 1, files: 0, bytes: 0, newFiles: 0, newBytes: 0 }
  if (set !== null) await writeSummary(place, set, summary)
  await place.close()
  return to
}
const stamp = (daysAgo: number) =>
  new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 16).replace(':', '-')

beforeAll(async () => {
  above = await mkdtemp(join(tmpdir(), 'vigil-examined-'))
  await mkdir(join(above, 'empty'))
  // A mail server that lets nobody in.
  mail = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.write('220 mail.example.org\r\n')
    socket.on('data', (said) => {
      const line = String(said)
      if (line.startsWith('EHLO')) socket.write('250-mail.example.org\r\n250 AUTH PLAIN\r\n')
      else if (line.startsWith('AUTH')) socket.write('535 5.7.8 Bad credentials\r\n')
      else socket.write('221 bye\r\n')
    })
  })
  mail.listen(0, '127.0.0.1')
  await once(mail, 'listening')
  const address = mail.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
})
afterAll(async () => {
  mail.close()
  await rm(above, { recursive: true, force: true })
})

interface Fault {
  readonly env: () => Promise<Record<string, string>>
  readonly state: 'warn' | 'fail'
  readonly found: RegExp
  readonly advice: RegExp
}
const place = (to: string, passphrase = PASSPHRASE) => ({ BACKUP_TO: to, BACKUP_PASSPHRASE: passphrase })

const BACKUP: Record<string, Fault> = {
  'a disk that is not mounted': {
    env: async () => place(join(above, 'nowhere')),
    state: 'fail',
    found: /There is no folder .*nowhere \(BACKUP_TO\)\. Is its disk mounted/,
    advice: /Correct BACKUP_TO/,
  },
  'another passphrase': {
    env: async () => place(await aPlace('other', stamp(0)), 'four blind mice'),
    state: 'fail',
    found: /BACKUP_PASSPHRASE is not the passphrase/,
    advice: /no night makes a backup/,
  },
  'no passphrase': {
    env: async () => place(await aPlace('sealed', stamp(0)), ''),
    state: 'fail',
    found: /are sealed: set BACKUP_PASSPHRASE/,
    advice: /Correct BACKUP_TO and BACKUP_PASSPHRASE/,
  },
  'nights that failed': {
    env: async () => place(await aPlace('old', stamp(4.5))),
    state: 'warn',
    found: /It is 4 days old/,
    advice: /page System/,
  },
  'none yet': {
    env: async () => place(await aPlace('begun', null)),
    state: 'warn',
    found: /no whole backup in .*begun yet/,
    advice: /vigil backup whole/,
  },
  'a folder that holds none': {
    env: async () => place(join(above, 'empty')),
    state: 'warn',
    found: /holds no backups/,
    advice: /is the disk mounted/,
  },
}

test.each(Object.entries(BACKUP))('backups: %s', async (_, fault) => {
  expect(await found('backup', await fault.env())).toEqual({
    name: 'backup',
    state: fault.state,
    found: expect.stringMatching(fault.found),
    advice: expect.stringMatching(fault.advice),
  })
})

test('backups that are in order are fine, so are none', async () => {
  const to = await aPlace('good', stamp(0.5))
  expect(await found('backup', place(to))).toMatchObject({
    state: 'ok',
    found: expect.stringMatching(/sealed\.$/),
  })
  expect(await found('backup', {})).toMatchObject({ state: 'ok' })
})

test('mail: a server that is away, and one that refuses our password, say so', async () => {
  const env = { EMAIL_HOST: '127.0.0.1', EMAIL_USE_TLS: 'false' }
  expect(await found('mail', { ...env, EMAIL_PORT: '1' })).toMatchObject({
    state: 'fail',
    found: expect.stringMatching(/127\.0\.0\.1:1 takes no letters of ours: .*ECONNREFUSED/),
    advice: expect.stringMatching(/EMAIL_PORT/),
  })
  const account = {
    EMAIL_PORT: String(port),
    EMAIL_HOST_USER: 'vigil',
    EMAIL_HOST_PASSWORD: 'hunter2hunter2',
  }
  const refused = await found('mail', { ...env, ...account })
  expect(refused).toMatchObject({ state: 'fail', found: expect.stringMatching(/535 5\.7\.8/) })
  expect(refused.found).not.toContain('hunter2')
  expect(await found('mail', {})).toMatchObject({ state: 'ok' })
})

test('what is written for who helps holds no secret: each setting that is one is looked for', async () => {
  const secret = (name: string) => `secret-of-${name}-0123456789`
  const names =
    `VIGIL_SECRET VIGIL_SETUP_TOKEN S3_ACCESS_KEY_ID S3_SECRET_ACCESS_KEY EMAIL_HOST_USER EMAIL_HOST_PASSWORD BACKUP_PASSPHRASE METRICS_TOKEN TELEGRAM_BOT_TOKEN PUSHOVER_APP_TOKEN TWILIO_ACCOUNT_SID TWILIO_AUTH_TOKEN SLACK_CLIENT_SECRET TURN_SECRET THINGIVERSE_APP_TOKEN BACKUP_S3_ACCESS_KEY_ID BACKUP_S3_SECRET_ACCESS_KEY`.split(
      ' ',
    )
  const env = Object.fromEntries(names.map((name) => [name, secret(name)]))
  const config = settings({
    ...env,
    PORT: '1',
    EMAIL_HOST: 'mail.example.org',
    DATABASE_URL: `postgres://vigil:${secret('DATABASE_URL')}@db.example.org/vigil`,
    REDIS_URL: `redis://:${secret('REDIS_URL')}@redis.example.org`,
    TURN_URLS: 'turn:turn.example.org:3478',
  })
  await mkdir(join(above, 'data', 'log'), { recursive: true })
  const lines = [
    '2026-11-26 LOG:  database system is ready to accept connections',
    '2026-11-26 ERROR:  duplicate key value violates unique constraint "users_email"',
    '2026-11-26 DETAIL:  Key (email)=(secret-of-a-person@example.org) already exists.',
    `2026-11-26 STATEMENT:  insert into printers values ('secret-of-an-agent')`,
    `2026-11-26 ERROR:  invalid input syntax for type integer: "secret-of-a-value`,
  ]
  await writeFile(join(above, 'data', 'log', 'postgres.log'), lines.join('\n'))
  const said = names.map((name) => secret(name)).join(' ')
  const check = {
    name: 'any',
    state: 'fail',
    found: `It said ${said} ${secret('REDIS_URL')}`,
    advice: null,
  } as const
  const bundle = await makeBundle(config, [check])
  expect(JSON.stringify(bundle)).not.toContain('secret-of')
  expect(bundle.settings).toMatchObject({
    PORT: 1,
    VIGIL_SECRET: 'set',
    ROLE: 'all',
    DATABASE_URL: 'set',
    TRUSTED_PROXIES: ['loopback'],
  })
  expect(bundle.database_log).toHaveLength(3)
  expect(bundle.health).toBeNull()
})
