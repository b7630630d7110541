import { describe, expect, it } from 'vitest'
import { heaterKind } from '../../../printer/status.ts'
import { applyProfile, canSet, maxTarget, presetTarget, readProfiles } from './heaters.ts'
import { addReport, linePath, mergeHistory, nearest, readHistory, SPAN_MS, ticks } from './history.ts'

const heater = (key: string, target: number | null = 0) => ({ key, actual: 25, target })
const pla = { name: 'PLA', targets: { extruder: 205, bed: 60, chamber: 0 } }

describe('heaters', () => {
  it.each([
    ['tool0', 'nozzle', 350],
    ['extruder1', 'nozzle', 350],
    ['heater_bed', 'bed', 140],
    ['bed', 'bed', 140],
    ['chamber', 'chamber', 140],
    ['mcu_temp', 'other', 350],
  ])('%s is a %s and goes to %d', (key, kind, max) => {
    expect(heaterKind(key)).toBe(kind)
    expect(maxTarget(key)).toBe(max)
  })

  it('reads presets of both agents and leaves out what is odd', () => {
    expect(readProfiles({})).toBeNull()
    const said = [{ name: 'PLA', extruder: '205', bed: 60, chamber: null }, { extruder: 1 }, null, 'x']
    expect(readProfiles({ temp_profiles: said })).toEqual([
      { name: 'PLA', targets: { extruder: 205, bed: 60 } },
    ])
  })

  it('knows a preset by either name, never above what a heater may have', () => {
    expect(presetTarget(pla, 'tool1')).toBe(205)
    expect(presetTarget(pla, 'heater_bed')).toBe(60)
    expect(presetTarget({ name: 'x', targets: { heater_bed: 500 } }, 'heater_bed')).toBe(140)
    expect(presetTarget(pla, 'fan_heater')).toBeNull()
  })

  it('applies a preset to all; a chamber only when it is heated', () => {
    const all = [heater('tool0'), heater('bed'), heater('chamber'), heater('mcu', null)]
    expect(applyProfile(pla, all)).toEqual([
      { key: 'tool0', target: 205 },
      { key: 'bed', target: 60 },
    ])
    expect(applyProfile('off', all)).toEqual([
      { key: 'tool0', target: 0 },
      { key: 'bed', target: 0 },
      { key: 'chamber', target: 0 },
    ])
  })

  it('sets nothing on a sensor, or where the agent told no presets', () => {
    expect(canSet(heater('tool0'), [])).toBe(true)
    expect(canSet(heater('mcu', null), [])).toBe(false)
    expect(canSet(heater('tool0'), null)).toBe(false)
  })
})

describe('history', () => {
  const now = 1_800_000_000_000

  it('reads what the server kept and goes on with what is newer', () => {
    const kept = readHistory({
      tool0: [
        [now / 1000 - 60, 200, 210],
        ['odd', 1, 2],
        [now / 1000 - 30, null, 210],
      ],
    })
    expect(kept['tool0']).toHaveLength(2)
    const live = addReport({}, now - 30_000, [heater('tool0')], now)
    const more = addReport(live, now - 5_000, [heater('tool0')], now)
    expect(mergeHistory(kept, more, now)['tool0']?.map(({ at }) => now - at)).toEqual([60_000, 30_000, 5_000])
  })

  it('forgets what is older than it shows, and takes a report once', () => {
    const old = addReport({}, now - SPAN_MS - 1, [heater('bed')], now)
    expect(old['bed']).toEqual([])
    const once = addReport({}, now, [heater('bed')], now)
    expect(addReport(once, now, [heater('bed')], now)).toEqual(once)
  })

  it('draws lines that break where nothing is known or nothing is wanted', () => {
    const frame = { width: 100, height: 100, from: 0, to: 1_000_000, top: 100 }
    const point = (at: number, actual: number | null, target: number | null) => ({ at, actual, target })
    const points = [point(0, 0, 0), point(100_000, 50, 50), point(500_000, 100, 0), point(600_000, null, 60)]
    expect(linePath(points, 'actual', frame)).toBe('M0.0 100.0L10.0 50.0M50.0 0.0')
    expect(linePath(points, 'target', frame)).toBe('M10.0 50.0M60.0 40.0')
  })

  it('has round marks with room above', () => {
    const at = (actual: number) => ({ tool0: [{ at: 0, actual, target: 0 }] })
    expect(ticks({})).toEqual([0, 20, 40, 60])
    expect(ticks(at(215))).toEqual([0, 100, 200, 300])
    expect(ticks(at(60))).toEqual([0, 20, 40, 60, 80])
  })

  it('finds the nearest point, not one of another time', () => {
    const points = [
      { at: 0, actual: 1, target: 0 },
      { at: 10_000, actual: 2, target: 0 },
    ]
    expect(nearest(points, 8_000)?.actual).toBe(2)
    expect(nearest(points, 900_000)).toBeNull()
    expect(nearest([], 0)).toBeNull()
  })
})
