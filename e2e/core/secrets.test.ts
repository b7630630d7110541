import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSecrets, requireSilence, secretsIn } from '../secrets.ts'

const SECRETS = new Map([
  ['0123456789abcdef0123', 'token of an agent'],
  ['a good long password', 'password'],
  ['482913', 'link code'],
  ['pass-8word', 'password'],
])

test.each([
  ['a path', '{"path":"/prints/share_token/0123456789abcdef0123/"}', 'token of an agent'],
  ['part of a word', '{"cookie":"x_0123456789abcdef0123_y"}', 'token of an agent'],
  ['words', '{"msg":"wrong: a good long password"}', 'password'],
  ['words in an address', '{"url":"/x?p=a%20good%20long%20password"}', 'password'],
  ['a code in an address', '{"url":"/verify/?code=482913"}', 'link code'],
  ['a code in a text', 'code "482913" is not known', 'link code'],
  ['a short one', '{"body":"pass-8word"}', 'password'],
])('a secret is found in %s, and not said again', (_where, line, kind) => {
  const found = secretsIn(`{"msg":"before"}\n${line}\n{"msg":"after"}\n`, SECRETS)
  expect(found).toEqual([expect.stringMatching(new RegExp(`^${kind}: .*[*]{3}|^${kind}: .*%20`))])
  expect(found.join('')).not.toMatch(/0123456789abcdef0123|a good long password|482913|pass-8word/)
})

test('numbers of the log, and longer words, are none', () => {
  const log = '{"pid":482913,"ms":482913.5,"at":"1482913000","word":"pass-8words"}\n'
  expect(secretsIn(log, SECRETS)).toEqual([])
})

test('the logs of servers and of their databases are looked through', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-secrets-'))
  try {
    const secrets = openSecrets(folder)
    secrets.keep('token of an agent', '0123456789abcdef0123')
    secrets.keep('code', 'camera_dark')
    writeFileSync(join(folder, 's1.log'), '{"msg":"camera_dark"}\n')
    mkdirSync(join(folder, 's2/log'), { recursive: true })
    writeFileSync(join(folder, 's2/log/postgres.log'), 'nothing\n')
    mkdirSync(join(folder, 's3.logs'))
    expect(requireSilence(folder)).toBe(1)
    const said = 'DETAIL: Failing row contains (1, 0123456789abcdef0123)\n'
    for (const log of ['s1.log', 's2/log/postgres.log', 's3.logs/postgres.log']) {
      writeFileSync(join(folder, log), said)
      expect(() => requireSilence(folder)).toThrow('token of an agent: DETAIL: Failing row contains (1, ***)')
      writeFileSync(join(folder, log), '')
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})
