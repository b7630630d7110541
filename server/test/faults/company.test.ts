import { afterAll, describe, expect, it } from 'vitest'
import { inSuite } from '../../../scripts/suites.ts'
import { eventually } from '../wire/agent.ts'
import {
  allWorks,
  areWatched,
  type Busy,
  expectCommands,
  expectCoverage,
  expectRows,
  makeBusy,
  videoPlays,
} from './company.books.ts'
import { type Company, type CompanyNode, openCompany } from './company.ts'

/** In `--all` one is killed each minute for ten minutes; the gate kills one of each role, and goes on as soon as all works again. */
const KILLS = inSuite(2, 10)
const EVERY_MS = inSuite(0, 60_000)
const MANY = inSuite({ watched: 2, commanded: 1 }, { watched: 6, commanded: 4 })

const company = await openCompany()
let busy: Busy | null = null

afterAll(async () => {
  await busy?.load.end()
  await company?.close()
})

const ORDER = ['web 1', 'worker 1', 'web 2', 'worker 2']
/** One after the other, so that each is killed once in four. */
function victimOf({ nodes }: Company, round: number): CompanyNode {
  const found = nodes.find(({ name }) => name === ORDER[round % ORDER.length])
  if (found === undefined) throw new Error('no such node')
  return found
}

describe.runIf(company)('two web nodes and two workers on one PostgreSQL, Redis and S3, behind nginx', () => {
  it(
    `go on when ${KILLS} are killed in turn: no coverage lost but while agents come back, no command late or twice, no row gone`,
    async () => {
      if (company === null) return expect.fail('there is none')
      busy = await makeBusy(company, MANY)
      const { load, went } = busy
      await allWorks(busy)
      await videoPlays(busy)
      await eventually(() => (areWatched(load) ? true : undefined), 90_000)
      for (let round = 0; round < KILLS; round++) {
        const due = performance.now() + EVERY_MS
        const victim = victimOf(company, round)
        went.push({ name: victim.name, at: Date.now() })
        await company.kill(victim)
        await allWorks(busy)
        if (victim.role === 'web') await videoPlays(busy)
        await company.restart(victim)
        await eventually(() => (performance.now() >= due ? true : undefined), EVERY_MS + 60_000)
      }
      await allWorks(busy)
      await videoPlays(busy)
      await load.stopWriting()
      await expectCoverage(busy)
      expectCommands(busy)
      await expectRows(busy)
    },
    KILLS * (EVERY_MS + 120_000),
  )
})
