import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runningPid } from '../engines/db/cluster.ts'
import { openEmbedded } from '../engines/db/embedded.ts'
import { prepareFolder } from '../test/spawned.ts'
import { eventually } from '../test/wire/agent.ts'
import { done, outcomeOf, startVigil, use } from './cli.fixture.ts'

const above = mkdtempSync(join(tmpdir(), 'vigil-restore-'))
const [one, other] = [join(above, 'one'), join(above, 'other')]
const sound = join(above, 'sound.vbk')
afterAll(() => rmSync(above, { recursive: true, force: true }))

beforeAll(async () => {
  for (const folder of [one, other]) prepareFolder(folder)
  await done(['user', 'add', 'ann@example.org', '--password-stdin'], one, { input: 'correct horse battery' })
  await done(['backup', '--to', sound], one)
})

/** A backup of our own making: its header, another body, and the hash that fits. */
function forge(name: string, body: Buffer): string {
  const file = readFileSync(sound)
  const headerEnd = file.indexOf('\n', file.indexOf('\n') + 1) + 1
  const content = Buffer.concat([file.subarray(0, headerEnd), body])
  const path = join(above, name)
  writeFileSync(path, Buffer.concat([content, createHash('sha256').update(content).digest()]))
  return path
}

function frames(count: number, bytes: number): Buffer {
  const head = Buffer.alloc(5)
  head.write('D')
  head.writeUInt32BE(bytes, 1)
  return Buffer.concat(Array.from({ length: count }, () => Buffer.concat([head, Buffer.alloc(bytes, 'x')])))
}

describe('a restore', () => {
  const fifo = () => {
    const path = join(above, 'fifo')
    execFileSync('mkfifo', [path])
    return path
  }
  test.each([
    ['a pipe that nobody writes to', fifo, /is no ordinary file\. Copy the backup into one/],
    ['a device without an end', () => '/dev/zero', /is no ordinary file/],
    ['a folder', () => above, /is no ordinary file/],
    [
      'a file that unpacks to ten thousand times its size',
      () => forge('bomb.vbk', zstdCompressSync(frames(80, 1_000_000))),
      /unpacks to more than 1000 times its size: it is damaged, or made to fill the disk\. Nothing was changed/,
    ],
    [
      'a file that cannot be unpacked',
      () => forge('garbled.vbk', Buffer.from('no zstd at all'.repeat(9))),
      /^vigil: This backup is damaged: it cannot be unpacked/,
    ],
  ])(
    'from %s ends with a sentence and leaves nothing behind',
    async (_what, make, sentence) => {
      const { code, out, err } = await use(['restore', make()], other)
      expect(err).toMatch(sentence)
      expect(err).not.toMatch(/^\s+at /m)
      expect({ code, out }).toEqual({ code: 1, out: '' })
      expect(runningPid(join(other, 'pg'))).toBe(null)
    },
    60_000,
  )

  test('fills the same folder from a sound file afterwards', async () => {
    const done = await outcomeOf(startVigil(['restore', sound, '--json'], { dataFolder: other }))
    expect(done).toMatchObject({ code: 0, err: '' })
  })
})

test('a command that is told to stop takes the database that only it uses with it', async () => {
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const embedded = await openEmbedded({ dataFolder: one, log: silent })
  const client = new pg.Client(embedded.url)
  client.on('error', () => undefined)
  await client.connect()
  await client.query('begin; lock table users in access exclusive mode')
  const child = startVigil(['backup', '--to', join(above, 'stopped.vbk')], { dataFolder: one })
  const ended = outcomeOf(child)
  await eventually(async () => {
    // Within a transaction the first look would be shown for ever.
    await client.query('select pg_stat_clear_snapshot()')
    const { rows } = await client.query(
      `select 1 from pg_stat_activity where application_name = 'vigil backup' and wait_event_type = 'Lock'`,
    )
    return rows.length > 0 ? true : undefined
  })
  await embedded.release()
  child.kill('SIGTERM')
  expect(await ended).toEqual({ code: 1, out: '', err: 'vigil: Stopped.\n' })
  expect(runningPid(join(one, 'pg'))).toBe(null)
})
