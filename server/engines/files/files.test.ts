import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { isAll } from '../../../scripts/suites.ts'
import { openFolderFiles } from './folder.ts'
import { startMoto } from './moto.ts'
import { BadPath } from './paths.ts'
import { DiskFull, type Files, type MediaRef } from './port.ts'
import type { TestS3 } from './python.ts'
import { openS3Files } from './s3.ts'
import { startSwift, SWIFT_KEYS } from './swift.ts'

/** The server, or null where there is no Python or no network; in CI there must be one. */
async function tried(start: () => Promise<TestS3>): Promise<TestS3 | null> {
  try {
    return await start()
  } catch (error) {
    if (process.env.CI === 'true') throw error
    console.warn(`The S3 adapter of files is not tested: ${(error as Error).message}`)
    return null
  }
}

// one S3 by Python is as good as the other, but in --all
const [moto, swift] = await Promise.all([tried(startMoto), isAll ? tried(startSwift) : null])
const root = await mkdtemp(join(tmpdir(), 'vigil-files-'))

afterAll(async () => {
  moto?.stop()
  swift?.stop()
  await rm(root, { recursive: true, force: true })
})

const openS3 = (server: TestS3 | null, keys = { accessKeyId: 'test', secretAccessKey: 'test' }) =>
  openS3Files({ url: server?.url ?? '', region: 'us-east-1', bucketPrefix: 'vigil-', ...keys })

const adapters = [
  { name: 'folder', skip: false, open: () => openFolderFiles(join(root, 'files')) },
  { name: 's3 (moto)', skip: moto === null, open: () => openS3(moto) },
  { name: 's3 (Swift)', skip: swift === null, open: () => openS3(swift, SWIFT_KEYS) },
]

const gcode = (path: string): MediaRef => ({ container: 'tsd-gcodes', path })
const picture = (path: string): MediaRef => ({ container: 'tsd-pics', path })

async function listed(files: Files, folder: string, container: MediaRef['container'] = 'tsd-gcodes') {
  const found: string[] = []
  for await (const path of files.list(container, folder)) found.push(path)
  return found.toSorted()
}

async function content(files: Files, ref: MediaRef, range?: { start: number; end: number }) {
  const stream = await files.get(ref, range)
  return stream === null ? null : String(await buffer(stream))
}

const ESCAPES = ['', '/', '/etc/passwd', '../a', 'a/../b', 'a/..', './a', 'a//b', 'a/', String.raw`a\b`]
const UNNAMEABLE = ['a\0b', '.part/x', 'a/.hidden', 'a\nb', 'a\u{d800}', 'x'.repeat(256), 'ab/'.repeat(400)]
const BAD_PATHS = ESCAPES.concat(UNNAMEABLE)

for (const { name, skip, open } of adapters) {
  describe.skipIf(skip)(`files in ${name}`, () => {
    let files: Files
    beforeAll(async () => {
      files = await open()
    })
    afterAll(() => files.close())

    test('keeps bytes and streams, tells their size', async () => {
      expect(await files.put(gcode('1/a.gcode'), Buffer.from('G28\n'))).toBe(4)
      expect(await files.put(picture('1/ä b+%.jpg'), Readable.from(['ab', Buffer.from('cd')]))).toBe(4)
      expect(await content(files, gcode('1/a.gcode'))).toBe('G28\n')
      expect(await content(files, picture('1/ä b+%.jpg'))).toBe('abcd')
      const found = await files.stat(gcode('1/a.gcode'))
      expect(found?.numBytes).toBe(4)
      expect(Math.abs(Date.now() - Number(found?.modifiedAt))).toBeLessThan(60_000)
      expect(await files.stat(picture('1/a.gcode'))).toBeNull()
    })

    test('replaces a file; an empty one is a file', async () => {
      await files.put(gcode('2/a.gcode'), Buffer.from('old and long'))
      await files.put(gcode('2/a.gcode'), Buffer.from('new'))
      expect(await content(files, gcode('2/a.gcode'))).toBe('new')
      expect(await files.put(gcode('2/empty'), Readable.from([]))).toBe(0)
      expect(await content(files, gcode('2/empty'))).toBe('')
    })

    test('gives parts of a file', async () => {
      await files.put(gcode('3/a'), Buffer.from('0123456789'))
      expect(await content(files, gcode('3/a'), { start: 2, end: 4 })).toBe('234')
      expect(await content(files, gcode('3/a'), { start: 8, end: 99 })).toBe('89')
      expect(await content(files, gcode('3/a'), { start: 10, end: 12 })).toBe('')
      expect(await content(files, gcode('3/none'), { start: 0, end: 1 })).toBeNull()
    })

    test('carries large files in one piece', async () => {
      const block = randomBytes(1024 * 1024)
      const ref: MediaRef = { container: 'tsd-timelapses', path: '4/movie.mp4' }
      expect(await files.put(ref, Readable.from(Array.from({ length: 20 }, () => block)))).toBe(
        20 * block.length,
      )
      const start = 19 * block.length
      const last = await buffer((await files.get(ref, { start, end: start + block.length - 1 }))!)
      expect(last.equals(block)).toBe(true)
    })

    test('an upload that breaks off leaves nothing', async () => {
      const broken = Readable.from(
        (async function* () {
          yield randomBytes(100_000)
          throw new Error('client went away')
        })(),
      )
      await expect(files.put(gcode('5/broken'), broken)).rejects.toThrow('client went away')
      expect(await files.stat(gcode('5/broken'))).toBeNull()
      expect(broken.destroyed).toBe(true)
    })

    test('lists and removes below a folder', async () => {
      for (const path of ['6/a', '6/b/c', '6/b/d', '60/e']) await files.put(gcode(path), Buffer.from('x'))
      expect(await listed(files, '6')).toEqual(['6/a', '6/b/c', '6/b/d'])
      expect(await listed(files, '6/b/')).toEqual(['6/b/c', '6/b/d'])
      expect(await listed(files, '')).toEqual(expect.arrayContaining(['6/a', '60/e']))
      expect(await listed(files, 'none')).toEqual([])
      await files.remove(gcode('6/a'))
      await files.remove(gcode('6/a'))
      await files.remove(gcode('none/none'))
      expect(await listed(files, '6')).toEqual(['6/b/c', '6/b/d'])
      await files.removeAll('tsd-gcodes', '6')
      await files.removeAll('tsd-gcodes', '6')
      expect(await listed(files, '6')).toEqual([])
      expect(await listed(files, '60')).toEqual(['60/e'])
    })

    test('a folder is no file', async () => {
      await files.put(gcode('7/a/b'), Buffer.from('x'))
      expect(await files.get(gcode('7/a'))).toBeNull()
      expect(await files.stat(gcode('7/a'))).toBeNull()
      expect(await files.get(gcode('7/a/b/c'))).toBeNull()
    })

    test.each(BAD_PATHS)('refuses the path %j', async (path) => {
      await expect(files.put(gcode(path), Buffer.from('x'))).rejects.toBeInstanceOf(BadPath)
      await expect(files.get(gcode(path))).rejects.toBeInstanceOf(BadPath)
      await expect(files.stat(gcode(path))).rejects.toBeInstanceOf(BadPath)
      await expect(files.remove(gcode(path))).rejects.toBeInstanceOf(BadPath)
      if (path !== 'a/') await expect(files.removeAll('tsd-gcodes', path)).rejects.toBeInstanceOf(BadPath)
      if (path !== '' && path !== 'a/') await expect(listed(files, path)).rejects.toBeInstanceOf(BadPath)
    })

    test('many at once, into the same new folder', async () => {
      const paths = Array.from({ length: 40 }, (_, i) => `8/new/deep/${i}`)
      await Promise.all(paths.map((path) => files.put(gcode(path), Buffer.from(path))))
      expect(await listed(files, '8')).toEqual(paths.toSorted())
      expect(await content(files, gcode('8/new/deep/39'))).toBe('8/new/deep/39')
    })
  })
}

describe('the folder', () => {
  test('is for the server alone, and keeps nothing unfinished', async () => {
    const folder = join(root, 'private')
    const files = await openFolderFiles(folder)
    await files.put(gcode('1/a'), Buffer.from('x'))
    const modes = await Promise.all(
      ['', 'tsd-gcodes/1', 'tsd-gcodes/1/a'].map((path) => stat(join(folder, path))),
    )
    expect(modes.map(({ mode }) => mode & 0o777)).toEqual([0o700, 0o700, 0o600])
    const failing = new Readable({ read: (): void => void failing.destroy(new Error('gone')) })
    await expect(files.put(gcode('1/b'), failing)).rejects.toThrow('gone')
    expect(await readdir(join(folder, 'tsd-gcodes/.part'))).toEqual([])
    await files.close()
  })

  test('removes what a crash left, not what another process still writes', async () => {
    const folder = join(root, 'crashed')
    const parts = join(folder, 'tsd-gcodes/.part')
    mkdirSync(parts, { recursive: true })
    writeFileSync(join(parts, 'old'), 'x')
    writeFileSync(join(parts, 'young'), 'x')
    utimesSync(join(parts, 'old'), new Date(0), new Date(0))
    const files = await openFolderFiles(folder)
    await files.close()
    expect(await readdir(parts)).toEqual(['young'])
    expect(await listed(files, '')).toEqual([])
  })

  test('follows no link out of it', async () => {
    const folder = join(root, 'links')
    const files = await openFolderFiles(folder)
    writeFileSync(join(root, 'secret'), 'x')
    mkdirSync(join(folder, 'tsd-pics/1'))
    symlinkSync(join(root, 'secret'), join(folder, 'tsd-pics/1/a.jpg'))
    expect(await files.get(picture('1/a.jpg'))).toBeNull()
    await files.put(picture('1/a.jpg'), Buffer.from('new'))
    expect(String(await readFile(join(root, 'secret')))).toBe('x')
    await files.close()
  })

  const canMount = process.getuid?.() === 0 && process.platform === 'linux'
  test.skipIf(!canMount)(
    'a full disk is said by name, costs nothing stored, and may be freed',
    async (test) => {
      const disk = join(root, 'disk')
      mkdirSync(disk)
      try {
        execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', disk], { stdio: 'pipe' })
      } catch {
        return test.skip('this machine lets nobody mount a small disk')
      }
      onTestFinished(() => void execFileSync('/bin/umount', [disk]))
      const files = await openFolderFiles(disk)
      await files.put(gcode('1/kept'), Buffer.from('kept'))
      const tooMuch = () =>
        files.put(gcode('1/kept'), Readable.from([randomBytes(100_000), randomBytes(400_000)]))
      const refused = await tooMuch().catch((error: unknown) => error)
      expect(refused).toBeInstanceOf(DiskFull)
      expect((refused as DiskFull).where).toBe(disk)
      await expect(files.put(picture('1/a'), randomBytes(400_000))).rejects.toBeInstanceOf(DiskFull)
      expect(await content(files, gcode('1/kept'))).toBe('kept')
      expect(await readdir(join(disk, 'tsd-gcodes/.part'))).toEqual([])
      expect(await files.put(gcode('1/new'), randomBytes(100_000))).toBe(100_000)
      await files.close()
    },
  )
})
