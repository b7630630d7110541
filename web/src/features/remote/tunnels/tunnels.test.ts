import { describe, expect, it } from 'vitest'
import { aPrinter } from '../../../printer/a-printer.fixture.ts'
import { markOf, platformOf } from './apps.ts'
import { targetOf, withEndpoint } from './redirect.ts'
import { hurdleOf, toneOf } from './UsagePanel.tsx'

describe('where an app that was let in is told', () => {
  const own = 'https://vigil.example/tunnels/succeeded/'
  it('is its own scheme, its site, or our page', () => {
    expect(targetOf(undefined, own)).toEqual({ address: own, kind: 'own', name: 'vigil.example' })
    expect(targetOf('', own)?.kind).toBe('own')
    expect(targetOf('/tunnels/succeeded/', own)?.address).toBe(own)
    expect(targetOf('octoapp://done', own)).toEqual({
      address: 'octoapp://done',
      kind: 'app',
      name: 'octoapp',
    })
    expect(targetOf('https://app.example/a?b=c', own)).toMatchObject({ kind: 'site', name: 'app.example' })
    expect(targetOf('https://vigil.example/x/', own)?.kind).toBe('own')
  })

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'blob:https://vigil.example/1',
    'file:///etc/passwd',
    'view-source:https://x.example/',
    'intent://x#Intent;end',
    '//evil.example/',
    '/\\evil.example/',
    '\\\\evil.example',
    'https://vigil.example@evil.example/',
    'nowhere',
    `https://x.example/${'a'.repeat(2_000)}`,
  ])('is never %s', (wanted) => expect(targetOf(wanted, own)).toBeNull())

  it('gets the endpoint as it is, always after a question mark', () => {
    const target = targetOf('octoapp://done?x=1', own)
    expect(target && withEndpoint(target, 'https://u:p@host')).toBe(
      'octoapp://done?x=1?tunnel_endpoint=https://u:p@host',
    )
  })
})

it('apps are known by their names', () => {
  expect(
    ['OctoApp', 'octo app', 'Mobileraker', 'Polymer', 'OctoPod', 'Printoid', 'Cura'].map(markOf),
  ).toEqual(['OA', 'OA', 'MR', 'Po', 'OP', 'Pr', null])
  expect(platformOf('OctoApp', undefined)).toBe('octoprint')
  expect(platformOf('OctoApp for Klipper', undefined)).toBe('klipper')
  expect(platformOf('Mobileraker', 'nonsense')).toBe('klipper')
  expect(platformOf('Mobileraker', 'octoprint')).toBe('octoprint')
})

it('what stands before a printer’s own page is said, the agent first', () => {
  const of = (over: object) => aPrinter({ agent_name: 'octoprint_obico', agent_version: '2.6.1', ...over })
  const agent = (state: string) => ({ state, last_seen_at: null })
  const used = (total: number) => ({ total, monthly_cap: 100, reset_in_seconds: 9 })
  expect(hurdleOf(of({ agent: agent('offline') }), used(1))).toBe('offline')
  expect(hurdleOf(of({ agent: agent('waiting') }), used(1))).toBe('waiting')
  expect(hurdleOf(of({ agent: agent('connected'), agent_version: '1.8.3' }), used(1))).toBe('tooOld')
  expect(hurdleOf(of({ agent: agent('connected') }), used(111))).toBe('overCap')
  expect(hurdleOf(of({ agent: agent('connected') }), used(110))).toBeNull()
  expect(hurdleOf(of({ agent: agent('connected'), status: null }), undefined)).toBeNull()
  expect([0.79, 0.8, 0.99, 1].map(toneOf)).toEqual(['good', 'warn', 'warn', 'bad'])
})
