import { describe, expect, it } from 'vitest'
import { type CurrentPrint, decide, estimateFilament, mayStart, type Report } from './lifecycle.rules.ts'
import { asId } from '../../../test/ids.ts'

const NOW = 1_700_000_600_000
const TS = 1_700_000_000
const current: CurrentPrint = {
  id: asId(5),
  extId: TS,
  filename: 'ring.gcode',
  startedAt: NOW - 600_000,
  cancelledAt: null,
  gCodeFileId: 9,
}
const progress = { completion: 40, printTime: 500, filamentUsed: 30, planned: null }
const NOTHING = { completion: null, printTime: null, filamentUsed: null, planned: null }
const report = (change: Partial<Report> = {}): Report => ({
  printTs: TS,
  fileName: 'ring.gcode',
  fileId: null,
  event: null,
  isLive: true,
  progress,
  last: null,
  ...change,
})
const does = (print: CurrentPrint | null, change: Partial<Report>) =>
  decide(print, report(change), NOW).map((action) => action.do)

describe('which print', () => {
  it.each([
    ['unknown', null],
    ['zero', 0],
  ])('%s leaves everything as it is', (_name, printTs) => {
    expect(does(current, { printTs })).toEqual([])
    expect(does(null, { printTs })).toEqual([])
  })

  it('idle with no print is nothing', () => expect(does(null, { printTs: -1 })).toEqual([]))

  it('starts without an event, needs a file name', () => {
    expect(decide(null, report({ fileId: 3 }), NOW)).toEqual([
      { do: 'start', extId: TS, filename: 'ring.gcode', fileId: 3, isLive: true, isFirst: false },
    ])
    expect(does(null, { fileName: null })).toEqual([])
  })

  it('the same goes on; a file that becomes known is taken', () => {
    expect(does(current, {})).toEqual([])
    expect(does(current, { fileId: 9 })).toEqual([])
    expect(decide(current, report({ fileId: 10 }), NOW)).toEqual([{ do: 'file', fileId: 10 }])
  })

  it('a clock that moved by less than 20 s keeps the print of the same file', () => {
    expect(does(current, { printTs: TS + 15 })).toEqual(['rename'])
    expect(does(current, { printTs: TS + 20 })).toEqual(['rename'])
    expect(does(current, { printTs: TS - 19 })).toEqual(['rename'])
    expect(does(current, { printTs: TS - 20 })).toEqual(['end', 'start'])
    expect(does(current, { printTs: TS + 25 })).toEqual(['end', 'start'])
    expect(does(current, { printTs: TS + 15, fileName: 'other.gcode' })).toEqual(['end', 'start'])
  })

  it('a short print may begin and end in one report', () => {
    expect(does(null, { event: 'PrintDone' })).toEqual(['start', 'end'])
  })
})

describe('the end', () => {
  const ending = (print: CurrentPrint, change: Partial<Report>) => {
    const [action] = decide(print, report(change), NOW)
    if (action?.do !== 'end') throw new Error('no end')
    return action
  }

  it('done is finished, failed is cancelled', () => {
    expect(ending(current, { event: 'PrintDone' }).outcome).toBe('finished')
    expect(ending(current, { event: 'PrintFailed' }).outcome).toBe('cancelled')
  })

  it('a cancelled print keeps current until it fails or idles', () => {
    expect(does(current, { event: 'PrintCancelled' })).toEqual(['cancel'])
    const cancelled = { ...current, cancelledAt: NOW - 500 }
    expect(ending(cancelled, { event: 'PrintFailed' }).outcome).toBe('cancelled')
    expect(ending(cancelled, { printTs: -1 }).outcome).toBe('cancelled')
    expect(ending(cancelled, { event: 'PrintDone' }).outcome).toBe('cancelled')
  })

  it('nobody saw: lost, unless it was complete', () => {
    const idle = { printTs: -1, fileName: null, progress: NOTHING }
    expect(ending(current, idle)).toMatchObject({ outcome: 'lost', completion: null })
    expect(ending(current, { ...idle, last: progress })).toMatchObject({ outcome: 'lost', completion: 40 })
    expect(ending(current, { ...idle, last: { ...progress, completion: 100 } }).outcome).toBe('finished')
    expect(ending(current, { printTs: -1, progress: { ...progress, completion: 100 } }).outcome).toBe(
      'finished',
    )
    expect(
      ending(current, { printTs: -1, fileName: 'other.gcode', progress: { ...progress, completion: 100 } })
        .outcome,
    ).toBe('lost')
    expect(ending(current, { printTs: -1, event: 'PrintDone' }).outcome).toBe('finished')
  })

  it('an idle printer has emptied its numbers: those seen before count', () => {
    const idle = {
      printTs: -1,
      fileName: null,
      progress: { completion: 0, printTime: 0, filamentUsed: 0, planned: null },
    }
    expect(ending(current, { ...idle, last: progress }).stats).toEqual({
      printTime: 500,
      filamentUsed: 30,
      ratio: 0.4,
    })
    expect(ending(current, idle).stats).toEqual({ printTime: 600, filamentUsed: null, ratio: null })
  })

  it('another print tells nothing about the old one', () => {
    const next = { printTs: TS + 500, progress: { ...progress, completion: 100, printTime: 3 } }
    expect(ending(current, { ...next, last: progress })).toMatchObject({
      outcome: 'lost',
      stats: { printTime: 500, filamentUsed: 30 },
    })
  })
})

describe('statistics', () => {
  const stats = (change: Partial<Report>) => {
    const [action] = decide(current, report({ event: 'PrintCancelling', ...change }), NOW)
    if (action?.do !== 'stats') throw new Error('no stats')
    return action.stats
  }

  it('are the agent’s, else from the clock', () => {
    expect(stats({})).toEqual({ printTime: 500, filamentUsed: 30, ratio: 0.4 })
    expect(stats({ progress: NOTHING })).toEqual({ printTime: 600, filamentUsed: null, ratio: null })
  })

  it('scale a planned total by completion', () => {
    const planned = { completion: 25, printTime: 5, filamentUsed: 66.42, planned: 66.42 }
    expect(stats({ progress: planned }).filamentUsed).toBeCloseTo(16.605)
    expect(stats({ progress: { ...planned, filamentUsed: null } }).filamentUsed).toBeCloseTo(16.605)
    expect(stats({ progress: { ...planned, filamentUsed: 20 } }).filamentUsed).toBe(20)
    expect(stats({ progress: { ...planned, completion: null } }).filamentUsed).toBeNull()
  })

  it('of a progress that was emptied are those seen before', () => {
    expect(stats({ progress: { ...NOTHING, completion: 0, filamentUsed: 0 }, last: progress })).toEqual({
      printTime: 500,
      filamentUsed: 30,
      ratio: 0.4,
    })
  })

  it('come from the file when the agent knows none', () => {
    const file = { filamentTotal: 1000, estimatedTime: 1000 }
    expect(estimateFilament(file, { printTime: 250, filamentUsed: null, ratio: 0.4 })).toBe(400)
    expect(estimateFilament(file, { printTime: 250, filamentUsed: null, ratio: 0 })).toBe(250)
    expect(estimateFilament(file, { printTime: 5000, filamentUsed: null, ratio: null })).toBe(1000)
    expect(
      estimateFilament({ ...file, estimatedTime: 0 }, { printTime: 1, filamentUsed: null, ratio: 0 }),
    ).toBeNull()
    expect(estimateFilament(null, { printTime: 1, filamentUsed: null, ratio: 1 })).toBeNull()
    expect(estimateFilament(file, { printTime: 1, filamentUsed: 7, ratio: 1 })).toBe(7)
  })
})

it('says what happens meanwhile, and ignores the rest', () => {
  expect(decide(current, report({ event: 'PrintPaused' }), NOW)).toEqual([{ do: 'say', type: 'PAUSED' }])
  expect(decide(current, report({ event: 'PrintResumed' }), NOW)).toEqual([{ do: 'say', type: 'RESUMED' }])
  expect(decide(current, report({ event: 'FilamentChange' }), NOW)).toEqual([
    { do: 'say', type: 'FILAMENT_CHANGE' },
  ])
  for (const event of ['PrintStarted', 'PrinterStateChanged', '__proto__', ''])
    expect(does(current, { event })).toEqual([])
})

describe('a key that a print has already', () => {
  const may = (
    ago: number | null,
    more: { isDeleted?: boolean; isLive?: boolean; isFirst?: boolean } = {},
  ) => {
    const { isDeleted = false, isLive = true, isFirst = false } = more
    return mayStart({ endedAt: ago === null ? null : NOW - ago, isDeleted }, { isLive, isFirst }, NOW)
  }

  it('is of that print while it goes on, and never starts one that its owner deleted meanwhile', () => {
    expect(may(null)).toBe('resume')
    expect(may(null, { isDeleted: true })).toBe('refuse')
    expect(may(null, { isDeleted: true, isFirst: true })).toBe('refuse')
  })

  it('is late where that print has just ended, and old where the printer does nothing', () => {
    expect(may(29_000)).toBe('late')
    expect(may(29_000, { isLive: false })).toBe('late')
    expect(may(31_000, { isLive: false })).toBe('refuse')
    expect(may(31_000, { isLive: false, isFirst: true })).toBe('refuse')
  })

  it('is of another print where the printer prints, and that one is over: it is not left unwatched', () => {
    expect(may(31_000)).toBe('again')
    expect(may(31_000, { isDeleted: true })).toBe('again')
    expect(may(1_000, { isFirst: true })).toBe('again')
  })
})
