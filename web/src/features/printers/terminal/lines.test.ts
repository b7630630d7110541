import { describe, expect, it } from 'vitest'
import { addLine, asText, clean, kindOf, type Line, readFilters, remember } from './lines.ts'

describe('filters', () => {
  it.each([
    ['Send: M105', 'temperature'],
    ['Send: N12 M105*37', 'temperature'],
    ['Recv: ok T:214.8 /215.0 B:60.1 /60.0 @:64', 'temperature'],
    ['Recv:  T:25.0', null],
    ['Recv: T:25.0 /0.0', 'temperature'],
    ['B:60.1 /60.0 T0:214.8 /215.0', 'temperature'],
    ['Recv: ok P15 B3 T:20.0', 'temperature'],
    ['Send: M27', 'sd'],
    ['Recv: SD printing byte 123/4567', 'sd'],
    ['Recv: Not SD printing', 'sd'],
    ['ok', 'ok'],
    ['Recv: ok P15 B3', 'ok'],
    ['Recv: ok, all is well', null],
    ['Send: N7 G1 X10 Y20*11', 'moves'],
    ['G0 Z5', 'moves'],
    ['Send: G28', null],
    ['Send: G10', null],
    ['echo: busy: processing', null],
    ['Total: 12', null],
  ])('%s → %s', (text, filter) => {
    expect(kindOf(text)).toBe(filter)
  })

  it('hide all four until somebody chose', () => {
    expect(readFilters(null)).toEqual(['temperature', 'sd', 'ok', 'moves'])
    expect(readFilters('')).toEqual([])
    expect(readFilters('ok,nonsense')).toEqual(['ok'])
  })
})

describe('lines', () => {
  it('count one that comes again, and say what was typed each time', () => {
    let lines: readonly Line[] = []
    for (const text of ['busy', 'busy', 'busy', 'done']) lines = addLine(lines, text, false, 1)
    lines = addLine(addLine(lines, 'G28', true, 2), 'G28', true, 3)
    expect(lines.map(({ text, times }) => [text, times])).toEqual([
      ['busy', 3],
      ['done', 1],
      ['G28', 1],
      ['G28', 1],
    ])
    expect(asText(lines)).toBe('busy ×3\ndone\n> G28\n> G28')
  })

  it('are a thousand at most', () => {
    let lines: readonly Line[] = []
    for (let at = 0; at < 1100; at++) lines = addLine(lines, String(at), false, at)
    expect(lines).toHaveLength(1000)
    expect(lines[0]?.text).toBe('100')
  })

  it('are text, whatever they hold', () => {
    expect(clean('\u001b[31mred\u001b[0m\u0007\r\n')).toBe('^[[31mred^[[0m^G')
    expect(clean('<img src=x onerror=alert(1)>\ttab')).toBe('<img src=x onerror=alert(1)>\ttab')
    expect(clean('x'.repeat(5000))).toHaveLength(2000)
  })
})

describe('what was sent', () => {
  it('is remembered once, the newest last', () => {
    expect(remember(['G28', 'M105'], 'G28')).toEqual(['M105', 'G28'])
    let sent: string[] = []
    for (let at = 0; at < 80; at++) sent = remember(sent, String(at))
    expect(sent).toHaveLength(50)
  })
})
