import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../test/pg.ts'
import { fill } from './backup.rows.fixture.ts'
import { backupName, pruneBackups, writeBackup } from './backup.ts'

let source: TestDatabase
let folder: string

beforeAll(async () => {
  source = await cloneDatabase()
  await fill(source.url)
})
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-backup-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))
afterAll(() => source.drop())

describe('no half file', () => {
  test('killed before its end, a backup has no name', async () => {
    const child = spawn(process.execPath, [
      join(import.meta.dirname, 'backup.fixture.ts'),
      source.url,
      join(folder, 'one.vbk'),
    ])
    await once(child.stdout, 'data')
    expect(readdirSync(folder)).toEqual([`one.vbk.${child.pid}.part`])
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(readdirSync(folder).filter((name) => name.endsWith('.vbk'))).toEqual([])
    const day = new Date(Date.now() - 25 * 3_600_000)
    utimesSync(join(folder, `one.vbk.${child.pid}.part`), day, day)
    expect(await pruneBackups(folder, 7)).toEqual([`one.vbk.${child.pid}.part`])
  })

  test('without room it begins nothing, and stops when the room goes', async () => {
    const file = join(folder, 'one.vbk')
    const options = { url: source.url, file, version: 'test' }
    await expect(writeBackup({ ...options, freeBytes: async () => 1e6 })).rejects.toThrow(/not enough room/)
    let looks = 0
    const shrinking = async () => (++looks < 2 ? 1e12 : 1e6)
    await expect(writeBackup({ ...options, freeBytes: shrinking })).rejects.toThrow(/not enough room/)
    expect(readdirSync(folder)).toEqual([])
  })

  test('stopped half-way it leaves nothing; an existing file is never written over', async () => {
    const ending = new AbortController()
    const freeBytes = async () => {
      ending.abort(new Error('enough'))
      return 1e12
    }
    const file = join(folder, 'one.vbk')
    await expect(
      writeBackup({ url: source.url, file, version: 'test', signal: ending.signal, freeBytes }),
    ).rejects.toThrow('enough')
    expect(readdirSync(folder)).toEqual([])
    writeFileSync(file, 'mine')
    await expect(writeBackup({ url: source.url, file, version: 'test' })).rejects.toThrow(/exists already/)
    expect(readFileSync(file, 'utf8')).toBe('mine')
  })

  test('the newest stay, and what is not ours', async () => {
    const at = new Date('2026-11-21T03:40:59Z')
    const names = ['01', '02', '03', '04'].map((day) => `vigil-2026-11-${day}T03-40.vbk`)
    for (const name of [...names, 'before-upgrade.vbk']) writeFileSync(join(folder, name), '')
    writeFileSync(backupName(folder, at), '')
    writeFileSync(backupName(folder, at), '')
    expect(await pruneBackups(folder, 3)).toEqual(names.slice(0, 3))
    expect(readdirSync(folder).toSorted()).toEqual([
      'before-upgrade.vbk',
      names[3],
      'vigil-2026-11-21T03-40-2.vbk',
      'vigil-2026-11-21T03-40.vbk',
    ])
  })
})
