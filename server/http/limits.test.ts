import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { openMemoryLive } from '../engines/live/memory.ts'
import { AppError } from './errors.ts'
import { byAddress, forgive, spend, spendOnFailure } from './limits.ts'

const OWN = { name: 'own', tries: 3, windowMs: 60_000 }
const ALL = { name: 'all', tries: 5, windowMs: 60_000 }

let now = 1_000_000
let ctx: Parameters<typeof spend>[0]
beforeEach(() => {
  const log = { warn: () => {}, error: () => {} }
  ctx = { live: openMemoryLive(log, () => now), clock: { now: () => now, monotonic: () => now } }
})

const counters = (who: string) => [
  { limit: OWN, who },
  { limit: ALL, who: 'all' },
]
const tries = async (n: number, who: string, work: () => Promise<true | null>) => {
  const settled = await Promise.allSettled(
    Array.from({ length: n }, () => spendOnFailure(ctx, counters(who), work)),
  )
  return settled.filter(({ status }) => status === 'fulfilled').length
}
const wrong = async () => null
const right = async () => true as const

describe('a limit', () => {
  it('is not outrun by tries at the same moment', async () => {
    let looked = 0
    const slowly = async () => {
      looked++
      await new Promise((resolve) => setImmediate(resolve))
      return null
    }
    expect(await tries(400, 'a', slowly)).toBe(3)
    expect(looked).toBe(3)
  })

  it('of one does not use up what belongs to all', async () => {
    expect(await tries(50, 'a', wrong)).toBe(3)
    expect(await tries(50, 'b', wrong)).toBe(2)
    expect(await tries(1, 'c', right)).toBe(0)
  })

  it('counts failures only, and tries that broke are none', async () => {
    for (let i = 0; i < 20; i++) expect(await tries(1, 'a', right)).toBe(1)
    for (let i = 0; i < 20; i++)
      await expect(
        spendOnFailure(ctx, counters('a'), () => Promise.reject(new Error('away'))),
      ).rejects.toThrow('away')
    expect(await tries(3, 'a', wrong)).toBe(3)
    expect(await tries(1, 'a', right)).toBe(0)
  })

  it('says how long to wait, and ends then', async () => {
    await tries(3, 'a', wrong)
    const refused = await spend(ctx, ...counters('a')).catch((error: unknown) => error)
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } })
    now += Number((refused as { headers: Record<string, string> }).headers['retry-after']) * 1000
    expect(await tries(1, 'a', right)).toBe(1)
  })

  it('can be forgiven', async () => {
    await tries(3, 'a', wrong)
    await forgive(ctx, counters('a'))
    expect(await tries(9, 'a', wrong)).toBe(3)
  })

  it('of what can be guessed has who guesses on wait twice as long each time, four hours at most, and forgets in a day', async () => {
    const guessed = [{ limit: { ...OWN, grows: true }, who: 'a' }] as const
    const refusal = async () => {
      for (;;) {
        const answer = await spend(ctx, ...guessed).catch((error: unknown) => error)
        if (answer instanceof AppError) return Number(answer.headers?.['retry-after'])
      }
    }
    const minutes: number[] = []
    for (let window = 0; window < 12; window++) {
      now = Math.ceil(now / OWN.windowMs) * OWN.windowMs
      const seconds = await refusal()
      minutes.push(seconds / 60)
      expect(await refusal()).toBe(seconds)
      now += seconds * 1000
    }
    expect(minutes).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 240, 240, 240, 240])
    now += 86_400_000
    expect(await refusal()).toBeLessThanOrEqual(60)
    // Others never wait for it, nor who got in meanwhile.
    now += 60_000
    await refusal()
    await forgive(ctx, guessed)
    expect(await spend(ctx, ...guessed)).toBeDefined()
    expect(await spend(ctx, { ...guessed[0], who: 'b' })).toBeDefined()
  })

  it('by address holds an IPv6 customer with one /64 and with many', async () => {
    const from = async (address: string) =>
      await spend(ctx, ...byAddress(OWN, address)).then(
        () => true,
        () => false,
      )
    const asked = async (addresses: string[]) =>
      (await Promise.all(addresses.map(from))).filter(Boolean).length
    expect(await asked(Array.from({ length: 9 }, (_, i) => `2a01:db8:1:1::${i}`))).toBe(3)
    expect(await asked(Array.from({ length: 99 }, (_, i) => `2a01:db8:1:2${i}::1`))).toBe(9)
    expect(await asked(['2a01:db8:2::1', '9.9.9.9'])).toBe(2)
  })
})

it('is the only way in which a module counts', () => {
  const folder = join(import.meta.dirname, '../modules')
  const files = globSync('**/*.ts', { cwd: folder }).filter((file) => !/\.(test|fixture)\.ts$/.test(file))
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => /live\.incr\b/.test(readFileSync(join(folder, file), 'utf8')))).toEqual([])
})
