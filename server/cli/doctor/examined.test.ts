import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { examine } from '../doctor.ts'
import { makeBundle } from './bundle.ts'
import { aPlace, PASSPHRASE } from './faults.places.fixture.ts'

let above: string

const settings = (env: Record<string, string>) =>
  readConfig({ NODE_ENV: 'test', VIGIL_DATA: join(above, 'data'), ...env })

async function found(name: string, env: Record<string, string>) {
  for await (const finding of examine(settings(env), [name])) return finding
  throw new Error(`doctor looks at no ${name}`)
}

beforeAll(async () => {
  above = await mkdtemp(join(tmpdir(), 'vigil-examined-'))
})
afterAll(async () => {
  await rm(above, { recursive: true, force: true })
})

test('backups that are in order are fine, so are none, and no mail', async () => {
  const to = join(above, 'good')
  await aPlace(to, 0.5)
  expect(await found('backup', { BACKUP_TO: to, BACKUP_PASSPHRASE: PASSPHRASE })).toMatchObject({
    state: 'ok',
    found: expect.stringMatching(/sealed\.$/),
  })
  expect(await found('backup', {})).toMatchObject({ state: 'ok' })
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
