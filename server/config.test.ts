import { expect, it } from 'vitest'
import { readConfig } from './config.ts'

const sentence = (env: Record<string, string>) => {
  try {
    readConfig(env)
  } catch (error) {
    return (error as Error).message
  }
  return null
}

it.each([
  ['VIGIL_SECRET', 'hunter2'],
  ['VIGIL_SETUP_TOKEN', 'hunter2'],
  ['DATABASE_URL', 'postgre://vigil:hunter2@db.example/vigil'],
  ['DATABASE_URL', 'postgres://vigil:hunter2@db.example:port/vigil'],
  ['REDIS_URL', 'https://:hunter2@redis.example'],
  ['S3_URL', 'hunter2@s3.example'],
  ['DETECTOR_MODEL_URL', 'ftp://me:hunter2@models.example/a.onnx'],
  ['PUBLIC_URL', 'vigil:hunter2'],
  ['SENTRY_DSN', 'https://key:hunter2@sentry.example/1'],
])('a bad %s is named, and its value is not told', (name, value) => {
  const said = sentence({ [name]: value })
  expect(said).toMatch(new RegExp(`^${name} cannot be used: .+`))
  expect(said).not.toContain('hunter2')
})

it('a relay has one way in', () => {
  const TURN_URLS = 'turn:turn.example:3478?transport=udp, turns:turn.example'
  const words = 'TURN_URLS needs either TURN_SECRET, or TURN_USERNAME and TURN_PASSWORD.'
  const account = { TURN_USERNAME: 'viewer', TURN_PASSWORD: 'hunter2' }
  expect(sentence({ TURN_URLS })).toBe(words)
  expect(sentence({ TURN_URLS, ...account, TURN_SECRET: 'x'.repeat(32) })).toBe(words)
  expect(sentence({ TURN_URLS, ...account })).toBe(null)
  expect(sentence({ STUN_URLS: 'stun.example' })).toMatch(/^STUN_URLS cannot be used: /)
})

it('any other bad setting is named with its value', () => {
  expect(sentence({ PORT: 'http' })).toMatch(/^PORT="http" cannot be used: /)
  expect(sentence({ LOG_LEVEL: 'loud' })).toMatch(/^LOG_LEVEL="loud" cannot be used: /)
})

it.each(['web', 'worker'])('ROLE=%s is refused where no other node could do the rest', (ROLE) => {
  const secret = { VIGIL_SECRET: 'x'.repeat(32) }
  expect(sentence({ ROLE })).toBe(
    `ROLE=${ROLE} needs DATABASE_URL and REDIS_URL: another node does the rest.`,
  )
  const shared = { DATABASE_URL: 'postgres://db/vigil', REDIS_URL: 'redis://redis' }
  expect(sentence({ ROLE, ...shared, ...secret })).toBe(null)
})

it('allows nobody this machine itself: a loopback in NOTIFY_NETWORKS stops the start with a sentence', () => {
  const read = (NOTIFY_NETWORKS: string) => readConfig({ NOTIFY_NETWORKS }).NOTIFY_NETWORKS
  for (const network of [
    '127.0.0.1',
    '192.168.1.0/24,127.0.0.0/8',
    '::1',
    '169.254.0.0/16',
    '::ffff:127.0.0.1',
  ])
    expect(() => read(network), network).toThrow(/^NOTIFY_NETWORKS=.* is this machine itself/)
  expect(read('192.168.1.0/24, fd12::/16, 0.0.0.0/0')).toHaveLength(3)
})
