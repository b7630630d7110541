import { describe, expect, test } from 'vitest'
import { beginning, type Gap, type Kept, look, RECURS_WITHIN_MS, type Sight } from './alarms.rules.ts'
import { asId } from '../../../test/ids.ts'

const STEP = 5_000
const good: Sight = { kind: 'watching' }
const rest: Sight = { kind: 'rest' }
const unknown: Sight = { kind: 'unknown', code: 'agent_lost' }
const dark: Sight = { kind: 'blind', code: 'picture_dark', hasStatus: true, isSure: false }
const lost: Sight = { kind: 'blind', code: 'agent_lost', hasStatus: false, isSure: false }
const times = <T>(count: number, what: T): T[] => Array.from({ length: count }, () => what)

/** A look each five seconds; what is told, with the second. */
function told(sights: readonly Sight[], gap: Gap | null = null): string[] {
  let kept: Kept = beginning(asId(1), 0, gap)
  // As the row has it.
  const row = { isRaised: false, recurred: 0, clearedAt: -Infinity }
  const acts: string[] = []
  for (const [i, sight] of sights.entries()) {
    const now = i * STEP
    const { kept: next, act } = look(kept, sight, now, row.isRaised ? row : null)
    kept = next
    if (act === null) continue
    acts.push(`${now / 1000} ${act.do === 'raise' ? act.code : 'clear'}`)
    row.isRaised = act.do === 'raise'
    if (act.do === 'clear') row.clearedAt = now
    else row.recurred = now - row.clearedAt < RECURS_WITHIN_MS ? row.recurred + 1 : 0
  }
  return acts
}

describe('an alarm', () => {
  test('is raised once, and cleared once it has been over for a while', () => {
    expect(told([...times(10, good), ...times(20, dark), ...times(20, good)])).toEqual([
      '70 picture_dark',
      '170 clear',
    ])
  })
  test('is none when the next picture is fine again, nor while a print begins', () => {
    expect(told([...times(10, good), ...times(3, dark), ...times(10, good), lost, good])).toEqual([])
    expect(told([...times(4, lost), ...times(20, good)])).toEqual([])
  })
  test('of what comes and goes is told less and less', () => {
    const anHour = times(60, [...times(6, good), ...times(6, dark)]).flat()
    expect(told([...times(10, good), ...anHour]).length).toBeLessThanOrEqual(3)
  })
  test('is not raised of a print that stood still when its agent was lost', () => {
    expect(told([...times(10, good), ...times(3, rest), ...times(40, lost)])).toEqual([])
    expect(told([...times(10, good), ...times(3, rest), ...times(10, lost), ...times(10, dark)])).toEqual([
      '135 picture_dark',
    ])
  })
  test('waits for an agent that has not come back yet, but not for ever, then says for what nobody looked', () => {
    expect(told([...times(10, unknown), ...times(20, good)], 'server_down')).toEqual([
      '40 server_down',
      '70 clear',
    ])
    expect(told([...times(5, good), ...times(20, unknown)])).toEqual(['65 agent_lost'])
    expect(told([...times(5, rest), ...times(20, unknown)])).toEqual([])
    expect(told([...times(7, unknown), ...times(20, good)])).toEqual([])
    expect(told([...times(10, rest), ...times(20, good)], 'server_down')).toEqual([])
  })
})
