import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { packsOf, parsePlans, readPlans } from './plans.ts'

const FILE = new URL('base/plans.json', import.meta.url).pathname
const shipped = readFileSync(FILE, 'utf8')
const changed = (from: string, to: string) => parsePlans(shipped.replace(from, to), 'plans.json')
const lineOf = (words: string) => shipped.slice(0, shipped.indexOf(words)).split('\n').length

it('has the figures of docs/decisions/0022-figures-of-plans.md, in whole cents', () => {
  const { cycles, packs, recommended_by_printers: recommended, trial } = readPlans('/nowhere', 'none', 'none')
  expect(cycles).toEqual({
    annual: { months: 12, base_cents: 4800, extra_printer_cents: 2400 },
    monthly: { months: 1, base_cents: 600, extra_printer_cents: 300 },
  })
  expect(packs.map(({ level, hours }) => [level, hours])).toEqual([
    ['2', 80],
    ['5', 300],
    ['10', 800],
    ['20', 2500],
  ])
  for (const { annual_cents: annual, monthly_cents: monthly } of packs)
    expect(monthly * 12).toBe(annual * 1.5)
  expect(recommended).toEqual(['2', '5', '5', '10', '10', '20', '20', '20', '20', '20'])
  expect(trial).toEqual({ days: 30, hours: 250 })
  expect(readPlans(new URL('.', import.meta.url).pathname, 'yumi', 'base').cycles.annual.base_cents).toBe(
    3800,
  )
})

it.each(['base', 'yumi'])('reads what ships of %s as it reads what an operator wrote', (name) => {
  const folder = new URL('.', import.meta.url).pathname
  const file = `${folder}${name}/plans.json`
  expect(readPlans(folder, name, 'base')).toEqual(parsePlans(readFileSync(file, 'utf8'), file))
})

it('finds a pack by its level', () => {
  expect(packsOf(readPlans('/nowhere', 'none', 'none')).get('5')?.hours).toBe(300)
})

it.each([
  ['"base_cents": 4800', '"base_cents": 48.5', 'cycles.annual.base_cents'],
  ['"sms": false', '"sms": "no"', 'plans.free.sms'],
  ['"grace_days": 7', '"grace_days": 7,\n  "grace_hours": 7', ''],
  ['"level": "5"', '"level": "2"', 'packs'],
  ['"months": 3', '"months": 0', 'partners.0.offers.0.months'],
])('%s made %s is refused, by file and line', (from, to, path) => {
  expect(() => changed(from, to)).toThrow(/^plans\.json:\d+: /)
  if (path.includes('.')) expect(() => changed(from, to)).toThrow(`plans.json:${lineOf(from)}: ${path}: `)
})

it('says on which line it is broken off', () => {
  expect(() => parsePlans(shipped.slice(0, shipped.indexOf('"packs"')), 'plans.json')).toThrow(
    /^plans\.json:\d\d: /,
  )
})
