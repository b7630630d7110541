import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { needOf, type Measured, type Prices, type Use } from '../bench/lib/capacity.ts'

const root = join(import.meta.dirname, '..')

test('docs/capacity.md says what its program says of the figures that were measured', () => {
  const said = execFileSync(process.execPath, ['bench/capacity.ts'], { cwd: root, encoding: 'utf8' })
  expect(readFileSync(join(root, 'docs/capacity.md'), 'utf8').trim()).toBe(said.trim())
})

const use: Use = {
  printingAtOnce: 0.5,
  printingOnAverage: 0.25,
  secondsBetweenStatuses: 10,
  secondsBetweenPictures: 10,
  pictureBytes: 100_000,
  frameDays: 10,
  printsADay: 1,
  eventsAPrint: 4,
  filmBytes: 1e7,
  filmMonths: 1,
  years: 1,
  busy: 0.5,
}
const measured: Measured = {
  statusUs: { node: 100, postgres: 20 },
  pictureUs: { node: 1_000, postgres: 200 },
  lookMs: 100,
  redis: { commandsOfStatus: 2, commandsOfPicture: 6 },
  walBytes: { status: 100, picture: 2_000 },
  rowBytes: { frames: 400, decisions: 1_000, printer_events: 800, prints: 800 },
  restMb: 200,
  agentKb: 60,
}
const prices: Prices = { core: 10, databaseCore: 20, databaseGb: 0.1, storedGb: 0.02, putsPerThousand: 0.005 }

test('what printers need is counted, not guessed', () => {
  const need = needOf(10_000, use, measured, prices)
  // 1,000 statuses a second, and 500 pictures in the busy hour.
  expect([need.statusesASecond, need.picturesASecond]).toEqual([1_000, 500])
  expect([need.webCores, need.postgresCores, need.detectorCores].map((cores) => cores.toFixed(2))).toEqual([
    '0.60',
    '0.12',
    '50.00',
  ])
  // Half busy, four cores each, and one that stands by.
  expect([need.webMachines, need.detectorMachines]).toEqual([2, 26])
  expect(need.redisCommandsASecond).toBe(5_000)
  // 2,160 pictures a day of each printer, for ten days.
  expect(need.picturesTb).toBeCloseTo(10_000 * 2_160 * 10 * 1e5 * 1e-12)
  expect(need.databaseGb).toBeCloseTo((10_000 * (21_600 * 1_400 + 365 * (800 + 4 * 800))) / 1e9)
  expect([need.shards, needOf(1_000_000, use, measured, prices).shards]).toEqual([1, 8])
})

test('a home has one machine and no shards', () => {
  const need = needOf(4, use, measured, prices)
  expect([need.webMachines, need.detectorMachines, need.shards]).toEqual([1, 0, 1])
})
