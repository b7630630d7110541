import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { readConfig } from '../../../config.ts'
import { openPlace } from '../../../engines/backups/place.ts'
import { fill } from '../../../engines/db/backup.rows.fixture.ts'
import { openFolderFiles } from '../../../engines/files/folder.ts'
import { startMoto } from '../../../engines/files/moto.ts'
import { DiskFull, type Files } from '../../../engines/files/port.ts'
import { cloneDatabase, type TestDatabase } from '../../../test/pg.ts'
import { backUp, fetchDatabase, findSet, listSets, putFilesBack, putSecretsBack, verifySet } from './index.ts'
import { pruneSets } from './whole.service.ts'

const PASSPHRASE = 'three blind mice'
const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
const { signal } = new AbortController()
// where there is no Python, files.test.ts says so
const moto = await startMoto().catch((error: unknown) => {
  if (process.env['CI'] === 'true') throw error
  return null
})
let source: TestDatabase
let above: string
let files: Files
let now: number

beforeAll(async () => {
  source = await cloneDatabase()
  await fill(source.url)
})
afterAll(async () => {
  moto?.stop()
  await source.drop()
})
beforeEach(async () => {
  above = await mkdtemp(join(tmpdir(), 'vigil-whole-'))
  await mkdir(join(above, 'usb'))
  files = await openFolderFiles(join(above, 'data', 'files'))
  now = Date.parse('2026-11-21T03:40:00Z')
})
afterEach(async () => {
  await files.close()
  await rm(above, { recursive: true, force: true })
})

/** Sealing is what the first test is about: scrypt takes its time at each opening. */
const OPEN = { BACKUP_PASSPHRASE: '' }
const settings = (env: Record<string, string> = {}) =>
  readConfig({
    NODE_ENV: 'test',
    VIGIL_DATA: join(above, 'data'),
    BACKUP_TO: join(above, 'usb'),
    BACKUP_PASSPHRASE: PASSPHRASE,
    ...env,
  })
const back = async (config = settings()) => {
  const { whole } = await backUp(
    { files, config, clock: { now: () => now, monotonic: () => 0 } },
    source.url,
    signal,
  )
  if (whole === null) throw new Error('no whole backup')
  return whole
}
const picture = (path: string) => ({ container: 'tsd-pics', path }) as const
const put = (path: string, content: string | Buffer) => files.put(picture(path), Buffer.from(content))
/** Every stored file of the place, by its name there. */
async function stored(): Promise<string[]> {
  const found = await readdir(join(above, 'usb'), { recursive: true, withFileTypes: true })
  return found.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
}

test('a second backup stores what is new alone; what was sealed is read by nobody without the passphrase', async () => {
  await writeFile(
    join(above, 'data', 'secrets.json'),
    '{"VIGIL_SECRET":"0123456789012345678901234567890123456789"}',
  )
  await put('raw/1/1/a.jpg', 'a picture of a benchy')
  await put('raw/1/1/b.jpg', 'a picture of a benchy')
  await files.put({ container: 'tsd-gcodes', path: '1/large' }, Buffer.alloc(9_000_000, 'G1 X1 '))
  await put('snapshots/1/latest_rotated.jpg', 'made again when asked for')
  expect(await back()).toMatchObject({ set: '2026-11-21T03-40', files: 3, newFiles: 3, bytes: 9_000_042 })
  await put('raw/1/1/a.jpg', 'another picture')
  await put('raw/1/1/c.jpg', 'a third')
  now += 86_400_000
  expect(await back()).toMatchObject({ set: '2026-11-22T03-40', files: 4, newFiles: 2 })

  for (const file of await stored()) {
    const content = await readFile(file)
    for (const secret of ['benchy', 'G1 X1', 'a@example.org', 'raw/1/1', '01234567890', PASSPHRASE])
      expect(content.includes(secret), `${secret} in ${file}`).toBe(false)
  }
  await expect(openPlace(settings({ BACKUP_PASSPHRASE: '' }))).rejects.toThrow(
    /sealed: set BACKUP_PASSPHRASE/,
  )
  await expect(openPlace(settings({ BACKUP_PASSPHRASE: 'four blind mice' }))).rejects.toThrow(
    /is not the passphrase/,
  )

  const place = await openPlace(settings())
  const other = await openFolderFiles(join(above, 'other', 'files'))
  const read = async (path: string) =>
    String(await buffer((await other.get(picture(path))) ?? Readable.from([])))
  await putSecretsBack(place, await findSet(place), { dataFolder: join(above, 'other') })
  expect(await readFile(join(above, 'other', 'secrets.json'), 'utf8')).toContain('01234567890')
  expect((await stat(join(above, 'other', 'secrets.json'))).mode & 0o777).toBe(0o600)
  const there = { dataFolder: join(above, 'other') }
  await putSecretsBack(place, await findSet(place), there)
  await writeFile(join(above, 'other', 'secrets.json'), '{"VIGIL_SECRET":"another"}')
  await expect(putSecretsBack(place, await findSet(place), there)).rejects.toThrow(
    /secrets\.json holds another key than the backup 2026-11-22/,
  )
  await putSecretsBack(place, await findSet(place), { ...there, VIGIL_SECRET: 'of the environment' })
  expect(await putFilesBack(place, await findSet(place), other)).toMatchObject({ files: 4 })
  expect(await read('raw/1/1/a.jpg')).toBe('another picture')
  await putFilesBack(place, await findSet(place, '2026-11-21T03-40'), other)
  expect(await read('raw/1/1/a.jpg')).toBe('a picture of a benchy')
  await expect(findSet(place, '2026-11-20T03-40')).rejects.toThrow(
    /no backup 2026-11-20.*There are: 2026-11-21T03-40/,
  )
  await Promise.all([other.close(), place.close()])
})

test('verify restores all of it and compares; what is damaged or gone is named', async () => {
  const config = settings({ BACKUP_PASSPHRASE: '' })
  await put('raw/1/1/a.jpg', 'a picture')
  const { set } = await back(config)
  const place = await openPlace(config)
  // The rows of the fixture name five thousand pictures that never were.
  expect(await verifySet(place, set, { scratch: join(above, 'scratch'), log })).toMatchObject({
    files: 1,
    bytes: 9,
    missing: 5000,
  })
  expect(await readdir(above)).not.toContain('scratch')

  const other = await openFolderFiles(join(above, 'other'))
  const object = (await stored()).find((name) => name.includes('/objects/'))
  if (object === undefined) throw new Error('no object')
  await writeFile(object, 'a pucture')
  await expect(putFilesBack(place, set, other)).rejects.toThrow(
    /damaged: tsd-pics\/raw\/1\/1\/a\.jpg cannot be read/,
  )
  expect(await other.stat(picture('raw/1/1/a.jpg'))).toBeNull()
  await rm(object)
  await expect(putFilesBack(place, set, other)).rejects.toThrow(
    /damaged: tsd-pics\/raw\/1\/1\/a\.jpg is missing/,
  )
  // What is missing there is stored anew with the next.
  now += 60_000
  const next = await back(config)
  expect(next).toMatchObject({ newFiles: 1 })
  expect(await putFilesBack(place, next.set, other)).toEqual({ files: 1, bytes: 9 })
  await Promise.all([other.close(), place.close()])
})

test('a disk that is full, or cannot be read, is not a backup that is damaged', async () => {
  await put('raw/1/1/a.jpg', 'a picture')
  const { set } = await back()
  const place = await openPlace(settings())
  const full: Files = { ...files, put: () => Promise.reject(new DiskFull('/mnt/storage')) }
  await expect(putFilesBack(place, set, full)).rejects.toThrow('no space left on /mnt/storage')
  const unread = Readable.from(
    (async function* () {
      yield Buffer.from('v')
      throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' })
    })(),
  )
  const broken = { ...place, get: () => Promise.resolve(unread) }
  await expect(fetchDatabase(broken, set, join(above, 'fetched.vbk'))).rejects.toThrow('EIO: i/o error')
  for (const file of await stored()) {
    if (!/objects|database\.vbk/.test(file)) continue
    const content = await readFile(file)
    content.writeUInt8(content.readUInt8(content.length - 1) ^ 1, content.length - 1)
    await writeFile(file, content)
  }
  await expect(putFilesBack(place, set, files)).rejects.toThrow(/is damaged: .*a\.jpg cannot be read/)
  await expect(fetchDatabase(place, set, join(above, 'fetched.vbk'))).rejects.toThrow(
    /is damaged: its database cannot be read/,
  )
  await place.close()
})

test('a night that fails leaves nothing of its set; one that takes hours is not swept away', async () => {
  const open = settings(OPEN)
  await put('raw/1/1/a.jpg', 'a picture')
  const { get } = files
  files.get = async () => Promise.reject(new DiskFull('/mnt/storage'))
  await expect(back(open)).rejects.toThrow('no space left')
  expect((await stored()).filter((name) => name.includes('/sets/'))).toEqual([])

  files.get = async (ref) => {
    // What is begun now was last written to an hour ago, and somebody else opens the place.
    for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate)
    for (const file of await stored()) await utimes(file, 1, 1)
    const other = await openPlace(open)
    await other.close()
    return await get(ref)
  }
  expect(await back(open)).toMatchObject({ files: 1, newFiles: 1 })
})

test('sets go by the rule, and with them what no other names; a disk that is not mounted is not written to', async () => {
  const open = settings(OPEN)
  await put('raw/1/1/old.jpg', 'gone tomorrow')
  await put('raw/1/1/new.jpg', 'stays')
  await back(open)
  await files.remove(picture('raw/1/1/old.jpg'))
  now += 3 * 86_400_000
  for (const file of await stored()) await utimes(file, 1, 1)
  await back(settings({ ...OPEN, BACKUP_KEEP: '1,0,0' }))
  const place = await openPlace(open)
  expect(await listSets(place)).toEqual(['2026-11-24T03-40'])
  const objects: string[] = []
  for await (const path of place.list('objects')) objects.push(path)
  expect(objects).toHaveLength(1)
  expect(await pruneSets(place, { days: 1, weeks: 0, months: 0 }, now)).toEqual([])
  await place.close()

  await rm(join(above, 'usb'), { recursive: true })
  await expect(back(open)).rejects.toThrow(/no folder .*usb.*mounted/)
  await mkdir(join(above, 'usb'))
  await expect(back(open)).rejects.toThrow(
    /holds no backups.*mounted\? To begin anew there, remove .*place\.json/,
  )
  expect(await listed(join(above, 'usb'))).toEqual([])
  await rm(join(above, 'data', 'backups', 'place.json'))
  expect(await back(open)).toMatchObject({ newFiles: 1 })
})

const listed = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) => one.isFile())

test.skipIf(moto === null)('a bucket does as well', async () => {
  const config = settings({
    ...OPEN,
    BACKUP_TO: `${moto?.url}/vigil-backups`,
    BACKUP_S3_ACCESS_KEY_ID: 'test',
    BACKUP_S3_SECRET_ACCESS_KEY: 'test',
  })
  await put('raw/1/1/a.jpg', 'a picture')
  expect(await back(config)).toMatchObject({ newFiles: 1, place: expect.stringMatching(/\/vigil-backups$/) })
  now += 60_000
  expect(await back(config)).toMatchObject({ newFiles: 0, files: 1 })
  const place = await openPlace(config)
  const other = await openFolderFiles(join(above, 'other'))
  expect(await putFilesBack(place, await findSet(place), other)).toEqual({ files: 1, bytes: 9 })
  await Promise.all([other.close(), place.close()])
})
