import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { picture } from '../../engines/inference/fixtures/pictures.ts'
import { makeFilm } from '../../engines/programs/ffmpeg.ts'
import { outcomeOf, startVigil } from '../cli.fixture.ts'
import { clock, moments, type Seen } from './moments.rules.ts'
import { page, type Report } from './page.ts'

const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0

const frame = (at: number, gauge: number, decision: Seen['decision'] = 'none'): Seen => ({
  file: `${at}.jpg`,
  t: at * 10,
  score: gauge / 100,
  smoothed: gauge / 100,
  gauge,
  decision,
})

describe('moments of a print', () => {
  test('a print at rest shows its highest, none beside another', () => {
    const frames = Array.from({ length: 400 }, (_, at) => frame(at, at === 200 ? 30 : at % 7))
    const chosen = moments(frames)
    expect(chosen).toHaveLength(8)
    expect(chosen.map(({ file }) => file)).toContain('200.jpg')
    const times = chosen.map(({ t }) => t)
    expect(times).toEqual([...times].sort((a, b) => a - b))
    for (let i = 1; i < times.length; i++) expect(times[i]! - times[i - 1]!).toBeGreaterThanOrEqual(100)
  })

  test('where it would have warned and paused is always among them; a frame that could not be read never', () => {
    const frames = Array.from({ length: 100 }, (_, at) => frame(at, 90))
    frames[3] = frame(3, 40, 'warn')
    frames[4] = frame(4, 45, 'pause')
    frames[50] = { ...frame(50, 100), score: null, error: 'damaged' }
    const files = moments(frames).map(({ file }) => file)
    expect(files).toEqual(expect.arrayContaining(['3.jpg', '4.jpg']))
    expect(files).not.toContain('50.jpg')
  })

  test.each([
    [0, '0:00'],
    [65, '1:05'],
    [3_725, '1:02:05'],
  ])('%d s are %s', (seconds, words) => expect(clock(seconds)).toBe(words))
})

describe('the page', () => {
  const report = (frames: Seen[], language: Report['language'] = 'en') =>
    page({ name: 'Benchy', language, intervalSeconds: 10, model: 'vigil', frames, shown: [] })

  test('says what would have happened, and when', () => {
    expect(report([frame(0, 0), frame(1, 12)])).toContain(
      'would not have warned. The gauge reached 12 of 100.',
    )
    expect(report([frame(0, 0), frame(6, 40, 'warn')])).toContain('would have warned at 1:00.')
    expect(report([frame(6, 40, 'warn'), frame(12, 80, 'pause')])).toContain(
      'warned at 1:00 and paused this print at 2:00',
    )
    expect(report([frame(6, 90, 'pause')])).toContain('warned and paused this print at 1:00')
    expect(report([frame(6, 90, 'pause')], 'zh')).toContain('在 1:00 发出警告并暂停')
  })

  test('names of files are text, never markup, and nothing in it can run', () => {
    const hostile = { ...frame(1, 5), file: '"><img src=x onerror=alert(1)>.jpg' }
    const html = page({
      name: '<script>alert(1)</script>',
      language: 'en',
      intervalSeconds: 10,
      model: 'vigil',
      frames: [hostile, { ...hostile, score: null, error: '<b>damaged</b>' }],
      shown: [{ frame: hostile, jpeg: new Uint8Array([1, 2]) }],
    })
    expect(html).not.toContain('<script')
    expect(html).not.toContain('<img src=x')
    expect(html).not.toContain('<b>damaged')
    expect(html).toContain("default-src 'none'")
  })
})

describe('./vigil watch --report', () => {
  let folder: string
  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'vigil-report-'))))
  afterAll(() => rm(folder, { recursive: true }))

  const watch = (...args: string[]) =>
    outcomeOf(startVigil(['watch', ...args], { dataFolder: join(folder, 'data') }))

  test('judges a folder and writes one page with its pictures in it', async () => {
    for (const at of [1, 2, 3]) {
      const patch = { x: 40 * at, y: 60, w: 90, h: 70, colour: [200, 80, 40] as const }
      await writeFile(
        join(folder, `frame-${at}.jpg`),
        await picture(320, 240, [90, 95, 100], [patch], 'jpeg'),
      )
    }
    await writeFile(join(folder, 'frame-4.jpg'), 'no picture')
    const file = join(folder, 'print.html')
    const { code, out } = await watch('--report', file, '--language', 'zh', folder)
    expect(code).toBe(1) // one frame could not be read
    expect(out).toContain(`The report is in ${file}.`)
    const html = await readFile(file, 'utf8')
    expect(html).toContain('Vigil 会怎么做')
    expect(html.match(/data:image\/jpeg;base64,\/9j\//g)?.length).toBeGreaterThan(0)
    expect(html).toContain('无法读取的图片：1 张')
  })

  test.runIf(hasFfmpeg)('judges a film as its pictures, a time-lapse in the time of the print', async () => {
    const film = join(folder, 'lapse $(id) %d.mp4')
    const drawn = await picture(
      320,
      240,
      [90, 95, 100],
      [{ x: 90, y: 60, w: 90, h: 70, colour: [200, 80, 40] }],
      'jpeg',
    )
    const made = Array.from({ length: 20 }, () => drawn)
    const { signal: stopping } = new AbortController()
    await makeFilm(
      { stopping },
      { pictures: made, count: 20, picturesPerSecond: 10, width: 320, height: 240, to: film },
    )
    const { code, out, err } = await watch('--json', '--faster', '20', film)
    expect(err).toBe('')
    expect(code).toBe(0)
    const times = out
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { t: number }).t)
    expect(times).toEqual([0, 10, 20, 30])
  })

  test.runIf(hasFfmpeg)(
    'a file that is no film ends with a sentence, whatever it says to ffmpeg',
    async () => {
      const file = join(folder, 'list.mp4')
      await writeFile(file, "ffconcat version 1.0\nfile '/etc/passwd'\n")
      const { code, err } = await watch(file)
      expect(code).toBe(1)
      expect(err).toContain('is no film that can be read.')
    },
  )

  test('refuses a language it does not speak, and says when it cannot write', async () => {
    expect(await watch('--language', 'fr', folder)).toMatchObject({
      code: 2,
      err: expect.stringContaining('en or zh'),
    })
    const { code, err } = await watch('--report', join(folder, 'nowhere', 'x.html'), folder)
    expect(code).toBe(1)
    expect(err).toMatch(/ENOENT/)
  })
})
