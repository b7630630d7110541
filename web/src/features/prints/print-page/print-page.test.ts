import type { Printer } from '@vigil/contract/printers/printers.ts'
import type { GCodeFileBase, Print } from '@vigil/contract/prints/prints.ts'
import type { Timelapse } from '@vigil/contract/prints/timelapse.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { detailsOf } from '../../../lib/gcode-details.ts'
import { beginningOf } from './beginning.ts'
import { lapseOf, unseenOf } from './lapse.rules.ts'
import { indexOf, siblingsOf, spanOf } from './siblings.ts'

describe('the prints beside one', () => {
  const rows = [{ id: 31 }, { id: 30 }, { id: 29 }]

  it.each([
    ['0', 0],
    ['41', 41],
    [undefined, null],
    ['', null],
    ['-1', null],
    ['1.5', null],
    ['1234567890', null],
  ])('are asked for at the place that the address says: %s', (text, index) => {
    expect(indexOf(text)).toBe(index)
  })

  it('are the row before and the one after', () => {
    expect(spanOf(5)).toEqual({ start: 4, limit: 3 })
    expect(siblingsOf(rows, 30, 5)).toEqual({ before: { id: 31 }, after: { id: 29 } })
  })

  it('end where the list does', () => {
    expect(spanOf(0)).toEqual({ start: 0, limit: 2 })
    expect(siblingsOf(rows, 31, 0)).toEqual({ before: null, after: { id: 30 } })
    expect(siblingsOf(rows.slice(0, 2), 30, 1)).toEqual({ before: { id: 31 }, after: null })
  })

  it('are none where it does not stand: the list has changed', () => {
    expect(siblingsOf(rows, 29, 1)).toBeNull()
    expect(siblingsOf([], 29, 0)).toBeNull()
  })
})

describe('whether what was sent has begun', () => {
  const saying = (text: string, flags: object = { operational: true }) =>
    ({ status: { _ts: 1, state: { text, flags } } }) as unknown as Printer

  it.each(['Operational', 'G-Code Downloading', 'Downloading G-Code'])('not while it says %s', (text) => {
    expect(beginningOf(saying(text), false)).toBe('waiting')
    // A download takes as long as the file is large.
    expect(beginningOf(saying(text), true)).toBe(text === 'Operational' ? 'failed' : 'waiting')
  })

  it.each(['Starting', 'Printing', 'Paused'])('when it says %s, however late', (text) => {
    expect(beginningOf(saying(text), true)).toBe('begun')
  })

  it.each([
    ['it is off', { status: null } as unknown as Printer],
    ['it was cut off', saying('Offline', { closedOrError: true })],
    ['it has a fault', saying('Error', { error: true })],
  ])('never when %s', (_why, printer) => {
    expect(beginningOf(printer, false)).toBe('failed')
  })
})

describe('what stands in the place of the time-lapse', () => {
  const ENDED = '2026-11-20T10:00:00Z'
  const printOf = (more: Partial<Print> = {}) =>
    ({
      video_url: null,
      tagged_video_url: null,
      video_archived_at: null,
      ended_at: ENDED,
      uploaded_at: null,
      ...more,
    }) as Print
  const being = (state: Timelapse['state']) => ({ state, progress: 0.4 }) as Timelapse

  it.each([
    ['the video, whatever else is known', printOf({ video_url: '/a.mp4' }), being('failed'), 96, 'video'],
    ['the Detective view alone', printOf({ tagged_video_url: '/a.mp4' }), undefined, 0, 'video'],
    ['its archive', printOf({ video_archived_at: ENDED }), being('ready'), 96, 'archived'],
    ['that it runs', printOf({ ended_at: null }), being('none'), 0, 'running'],
    ['nothing until it is known', printOf(), undefined, 96, 'loading'],
    ['its pictures while it is made', printOf(), being('working'), 96, 'frames'],
    ['its pictures without ffmpeg', printOf(), being('no_ffmpeg'), 96, 'frames'],
    ['its pictures where no film could be made', printOf(), being('failed'), 96, 'frames'],
    ['no pictures of a short one', printOf(), being('short'), 96, 'short'],
    ['how far it is', printOf(), being('waiting'), 0, 'processing'],
    [
      'how far an uploaded film is',
      printOf({ ended_at: null, uploaded_at: ENDED }),
      being('working'),
      0,
      'processing',
    ],
    [
      'what is missing for an uploaded film',
      printOf({ uploaded_at: ENDED }),
      being('no_ffmpeg'),
      0,
      'no_ffmpeg',
    ],
    ['what is missing for a single picture', printOf(), being('no_ffmpeg'), 1, 'no_ffmpeg'],
    ['that no picture came', printOf(), being('empty'), 0, 'empty'],
    ['that it could not be made', printOf(), being('failed'), 0, 'failed'],
    ['that it was deleted', printOf(), being('deleted'), 96, 'deleted'],
  ] as const)('%s', (_name, print, timelapse, frames, shown) => {
    expect(lapseOf(print, timelapse, frames)).toBe(shown)
  })

  const MADE = ['none', 'waiting', 'working', 'ready'] as const
  const NOT_MADE = ['no_ffmpeg', 'short', 'empty', 'failed', 'archived', 'deleted'] as const

  it.each(['en', 'zh'])('has its words whatever becomes of it: %s', (language) => {
    const file = join(import.meta.dirname, '../../../../../locales', language, 'prints/print-page.json')
    const { lapse } = JSON.parse(readFileSync(file, 'utf8')) as { lapse: Record<string, unknown> }
    const prints = [printOf(), printOf({ ended_at: null }), printOf({ video_archived_at: ENDED })]
    const shown = prints.flatMap((print) =>
      [...MADE, ...NOT_MADE].map((state) => lapseOf(print, being(state), 0)),
    )
    for (const what of new Set(shown))
      expect(lapse[what]).toEqual({ title: expect.any(String), text: expect.any(String) })
  })
})

it.each([
  ['pictures without a score', 'ready', 96, 'notWatched'],
  ['no picture came', 'empty', 0, 'notWatched'],
  ['they have gone', 'archived', 0, 'gone'],
  ['a film that waits for ffmpeg', 'no_ffmpeg', 0, 'unknown'],
  ['not told yet', undefined, 0, 'unknown'],
] as const)('says that nobody looked only where that is known: %s', (_name, state, pictures, why) => {
  expect(unseenOf(state, pictures)).toBe(why)
})

describe('what a slicer wrote into a file', () => {
  const file = (told: unknown, more: Partial<GCodeFileBase> = {}) =>
    ({ metadata_json: typeof told === 'string' ? told : JSON.stringify(told), ...more }) as GCodeFileBase

  it('is told in one order, numbers first', () => {
    const told = { slicer: ' PrusaSlicer ', object_height: 67.2, layer_height: '0.2', estimated_time: 3600 }
    expect(detailsOf(file(told))).toEqual([
      { name: 'estimated_time', value: 3600 },
      { name: 'layer_height', value: 0.2 },
      { name: 'object_height', value: 67.2 },
      { name: 'slicer', value: 'PrusaSlicer' },
    ])
  })

  it('is completed by what the server read itself', () => {
    expect(detailsOf(file({}, { estimated_time: 60, filament_total: 4_100 }))).toEqual([
      { name: 'estimated_time', value: 60 },
      { name: 'filament_total', value: 4_100 },
    ])
  })

  it('says which figures come from the moves, and how large it is', () => {
    const told = {
      estimated_time: 60,
      filament_total: 4_100,
      object_width: 70.04,
      object_depth: 20,
      estimated: ['estimated_time'],
    }
    expect(detailsOf(file(told))).toEqual([
      { name: 'estimated_time', value: 60, isEstimated: true },
      { name: 'filament_total', value: 4_100 },
      { name: 'size', value: '70 × 20\u2060\u2009\u2060mm' },
    ])
  })

  it('is left out where it makes no sense, and cut where it is long', () => {
    const told = { layer_height: -1, object_height: 'NaN', slicer: { a: 1 }, filament_type: 'unknown' }
    expect(detailsOf(file({ ...told, filament_name: 'x'.repeat(500) }))).toEqual([
      { name: 'filament_name', value: 'x'.repeat(80) },
    ])
  })

  it.each(['{', '[1]', 'null', '"PLA"', ''])('is nothing where it is no object: %s', (text) => {
    expect(detailsOf(file(text))).toEqual([])
  })
})
