import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openLogOutput, serializers } from './log-output.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-log-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function openLog() {
  const path = join(folder, 'log')
  const log = pino({ serializers }, openLogOutput(openSync(path, 'a')))
  const written = () =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as { msg: string }).msg)
  return { log, path, written }
}

test('lines are gathered for a moment, then written', async () => {
  const { log, written } = openLog()
  log.info('one')
  log.info('two')
  expect(written()).toEqual([])
  await expect.poll(written).toEqual(['one', 'two'])
  log.info('three')
  await expect.poll(written).toEqual(['one', 'two', 'three'])
})

test('a warning is on the disk at once, after what came before it', () => {
  const { log, written } = openLog()
  log.info('before')
  log.warn('careful')
  expect(written()).toEqual(['before', 'careful'])
})

test('much at once is written without waiting, and nothing is lost', async () => {
  const { log, written } = openLog()
  for (let i = 0; i < 1_000; i++) log.info(`line ${i}`)
  expect(written().length).toBeGreaterThan(500)
  await expect.poll(() => written().length).toBe(1_000)
})

test('a row that PostgreSQL refused is not written with its error', () => {
  const { log, path } = openLog()
  const refused = { code: '23502', detail: 'Failing row contains (1, 0123456789abcdef0123).' }
  const err = Object.assign(new Error('null value in column "name"'), refused)
  log.error({ err }, 'failed')
  const said = readFileSync(path, 'utf8')
  expect(said).toContain('23502')
  expect(said).toContain('log-output.test.ts')
  expect(said).not.toContain('0123456789abcdef0123')
})
