import { describe, expect, it } from 'vitest'
import { grouped, move, readLayout, writeLayout } from './layout.ts'

const names = (raw: string | null, without?: Parameters<typeof readLayout>[1]) =>
  readLayout(raw, without).map(({ name }) => name)

describe('layout of the widgets', () => {
  it('has all until somebody chose, the display first', () => {
    expect(names(null)).toEqual([
      'display',
      'print',
      'progress',
      'detection',
      'temperatures',
      'toolhead',
      'macros',
      'terminal',
    ])
    for (const odd of ['', '{', '7', '{"id":1}', '[null,3,"x"]']) expect(names(odd)).toHaveLength(8)
  })

  it('keeps what was stored, appends what is new and leaves out what is unknown', () => {
    const raw = '[{"id":6,"enabled":false},{"id":99,"enabled":true},{"id":1,"enabled":true},{"id":6}]'
    const layout = readLayout(raw)
    expect(layout.map(({ name }) => name)).toEqual([
      'terminal',
      'print',
      'display',
      'progress',
      'detection',
      'temperatures',
      'toolhead',
      'macros',
    ])
    expect(layout[0]).toEqual({ name: 'terminal', enabled: false })
    expect(readLayout(writeLayout(layout))).toEqual(layout)
    expect(JSON.parse(writeLayout(layout))[0]).toEqual({ id: 6, enabled: false })
  })

  it('has no terminal where the agent is too old', () => {
    expect(names('[{"id":6,"enabled":true}]', ['terminal'])).not.toContain('terminal')
  })

  it('moves a row, never out of the list', () => {
    expect(move(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b'])
    expect(move(['a', 'b', 'c'], 0, 9)).toEqual(['b', 'c', 'a'])
    expect(move(['a', 'b', 'c'], 1, -5)).toEqual(['b', 'a', 'c'])
  })

  it('draws the print and its facts as one card where they are neighbours', () => {
    expect(grouped(['print', 'progress', 'detection'])).toEqual(['job', 'detection'])
    expect(grouped(['progress', 'print'])).toEqual(['progress', 'print'])
    expect(grouped(['print', 'detection', 'progress'])).toEqual(['print', 'detection', 'progress'])
  })
})
