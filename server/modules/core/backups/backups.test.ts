import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import type { Ctx } from '../../../ctx.ts'
import { backups } from '../../../engines/metrics/index.ts'
import { cloneDatabase } from '../../../test/pg.ts'
import { backUpNightly, registerBackups } from './index.ts'

const log = { info: vi.fn(), error: vi.fn() }
const schedule = vi.fn()
const emit = vi.fn()

function aCtx(config: Partial<Ctx['config']> = {}): Ctx {
  return {
    log,
    jobs: { schedule },
    events: { emit },
    clock: { now: () => Date.parse('2026-11-21T03:40:01Z') },
    config: { dataFolder: '/nowhere', version: 'test', ...config },
  } as unknown as Ctx
}

afterEach(() => {
  vi.clearAllMocks()
})

test.each([
  [undefined, undefined, undefined, true],
  [undefined, false, undefined, false],
  ['postgres://x/y', undefined, undefined, false],
  ['postgres://x/y', true, undefined, true],
  ['postgres://x/y', undefined, '/mnt/usb', true],
])('DATABASE_URL=%s BACKUP_NIGHTLY=%s BACKUP_TO=%s: every night %s', (url, asked, to, wanted) => {
  registerBackups(aCtx({ DATABASE_URL: url, BACKUP_NIGHTLY: asked, BACKUP_TO: to }), 'postgres://x/y')
  expect(schedule).toHaveBeenCalledTimes(wanted ? 1 : 0)
  const hours = { timeoutMs: 23 * 3_600_000 }
  if (wanted) expect(schedule).toHaveBeenCalledWith('backup', '40 3 * * *', expect.any(Function), hours)
})

test('nights that failed are counted from none on, so that an alert sees the first', async () => {
  backups.reset()
  registerBackups(aCtx(), 'postgres://x/y')
  expect((await backups.get()).values).toEqual([
    { labels: { outcome: 'done' }, value: 0 },
    { labels: { outcome: 'failed' }, value: 0 },
  ])
})

test('writes tonight’s file and says so; what stands in the way is said, not raised', async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'vigil-nightly-'))
  const database = await cloneDatabase()
  const { signal } = new AbortController()
  try {
    await backUpNightly(aCtx({ dataFolder }), database.url, signal)
    expect(readdirSync(join(dataFolder, 'backups'))).toEqual(['vigil-2026-11-21T03-40.vbk'])
    expect(log.info).toHaveBeenCalledWith(
      expect.objectContaining({ rows: 0, removed: [] }),
      'the database was backed up',
    )
    expect(emit).toHaveBeenLastCalledWith(
      'backup.ended',
      expect.objectContaining({ reason: null, whole: null }),
    )
    const unborn = new URL(database.url)
    unborn.pathname = '/postgres'
    await backUpNightly(aCtx({ dataFolder }), unborn.href, signal)
    expect(log.error).toHaveBeenCalledOnce()
    expect(emit).toHaveBeenLastCalledWith(
      'backup.ended',
      expect.objectContaining({ reason: expect.stringMatching(/nothing to back up/) }),
    )
    await backUpNightly(aCtx({ dataFolder }), database.url, signal, AbortSignal.abort())
    expect(emit).toHaveBeenLastCalledWith(
      'backup.ended',
      expect.objectContaining({ reason: expect.stringMatching(/not done before the next night/) }),
    )
    expect(readdirSync(join(dataFolder, 'backups'))).toHaveLength(1)
  } finally {
    await database.drop()
    rmSync(dataFolder, { recursive: true, force: true })
  }
})
