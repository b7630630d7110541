import { afterEach, describe, expect, it } from 'vitest'
import { type PoolOptions, WorkerPool, WaitingLine } from './pool.ts'
import { BadPicture, DetectorUnavailable } from './port.ts'

const pools: WorkerPool<string>[] = []
async function rude(change: Partial<PoolOptions> = {}): Promise<WorkerPool<string>> {
  const pool = new WorkerPool<string>({
    script: new URL('./fixtures/rude.worker.ts', import.meta.url),
    workerData: null,
    workers: 1,
    capacity: 3,
    hangMs: 5000,
    backoffMs: [20, 200],
    ...change,
  })
  pools.push(pool)
  await pool.started()
  return pool
}
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()))
})
const kinds = async (...all: Promise<{ kind: string }>[]) => (await Promise.all(all)).map((one) => one.kind)

describe('the pool', () => {
  it('does its tasks', async () => {
    const pool = await rude()
    expect(pool.name).toBe('rude')
    expect(pool.error).toBeNull()
    expect(await pool.submit('a', { say: 'hello' }, [])).toEqual({ kind: 'done', result: 'hello' })
  })
  it('closes only when the worker has come back from its task, but not for ever', async () => {
    const pool = await rude()
    const began = performance.now()
    const task = pool.submit('a', { say: 'a', ms: 300 }, [])
    let isClosed = false
    const closed = pool.close().then(() => (isClosed = true))
    await expect(task).rejects.toBeInstanceOf(DetectorUnavailable)
    expect(isClosed).toBe(false)
    await closed
    expect(performance.now() - began).toBeGreaterThan(250)
    const stuck = await rude()
    stuck.submit('a', { say: 'spin' }, []).catch(() => {})
    await stuck.close()
  })
  it('drops the oldest waiting when full', async () => {
    const pool = await rude()
    const slow = pool.submit('slow', { say: 'x', ms: 100 }, [])
    const rest = ['a', 'b', 'c', 'd'].map((key) => pool.submit(key, { say: key }, []))
    expect(pool.queued).toBe(3)
    expect(await kinds(slow, ...rest)).toEqual(['done', 'dropped', 'done', 'done', 'done'])
  })
  it('passes on that a picture is bad', async () => {
    const pool = await rude()
    await expect(pool.submit('a', { say: 'bad' }, [])).rejects.toBeInstanceOf(BadPicture)
    expect(await kinds(pool.submit('a', { say: 'fine' }, []))).toEqual(['done'])
  })
  it('rejects what a dying worker had and what waited, says that it is down, and comes back', async () => {
    const pool = await rude()
    const lost = pool.submit('a', { say: 'die' }, [])
    const waiting = pool.submit('b', { say: 'b' }, [])
    await expect(lost).rejects.toBeInstanceOf(DetectorUnavailable)
    await expect(waiting).rejects.toBeInstanceOf(DetectorUnavailable)
    expect(pool.error).toMatch(/code 3/)
    await expect(pool.submit('c', { say: 'c' }, [])).rejects.toBeInstanceOf(DetectorUnavailable)
    await expect.poll(() => pool.error).toBeNull()
    expect(await kinds(pool.submit('d', { say: 'd' }, []))).toEqual(['done'])
  })
  it('with two workers goes on with the other', async () => {
    const pool = await rude({ workers: 2 })
    const lost = pool.submit('a', { say: 'die' }, [])
    const waiting = ['b', 'c'].map((key) => pool.submit(key, { say: key, ms: 20 }, []))
    await expect(lost).rejects.toBeInstanceOf(DetectorUnavailable)
    expect(await kinds(...waiting)).toEqual(['done', 'done'])
  })
  it('ends a worker that hangs', async () => {
    const pool = await rude({ hangMs: 1500 })
    await expect(pool.submit('a', { say: 'spin' }, [])).rejects.toThrow(/longer than 1500 ms/)
    await expect.poll(() => pool.error).toBeNull()
    expect(await kinds(pool.submit('b', { say: 'b' }, []))).toEqual(['done'])
  })
  it('that can not start says why', async () => {
    const pool = await rude({ workerData: 'never' })
    expect(pool.error).toBe('no model here')
    await expect(pool.submit('a', { say: 'a' }, [])).rejects.toThrow('no model here')
  })
  it('that is known to start sleeps until its first tasks', async () => {
    const pool = await rude({ proven: 'rude', workers: 2 })
    expect([pool.name, pool.error]).toEqual(['rude', null])
    const first = pool.submit('a', { say: 'a' }, [])
    expect(pool.error).toBeNull()
    expect(await kinds(first, pool.submit('b', { say: 'b' }, []))).toEqual(['done', 'done'])
    expect(await pool.submit('c', { say: 'c' }, [])).toEqual({ kind: 'done', result: 'c' })
  })
  it('that was known to start, and does not, rejects its first task and says why', async () => {
    const pool = await rude({ proven: 'rude', workerData: 'never' })
    await expect(pool.submit('a', { say: 'a' }, [])).rejects.toThrow('no model here')
    expect(pool.error).toContain('no model here')
  })
  it('closes in its sleep', async () => {
    const pool = await rude({ proven: 'rude' })
    await pool.close()
    await expect(pool.submit('a', { say: 'a' }, [])).rejects.toThrow(/closed/)
  })
  it('rejects everything on close', async () => {
    const pool = await rude()
    const all = ['a', 'b'].map((key) => pool.submit(key, { say: key, ms: 1000 }, []))
    const settled = Promise.allSettled(all)
    await pool.close()
    expect((await settled).map((one) => one.status)).toEqual(['rejected', 'rejected'])
    await expect(pool.submit('c', { say: 'c' }, [])).rejects.toThrow(/closed/)
  })
})

describe('the waiting line', () => {
  const entry = (key: string, told: string[], label = key) => ({
    key,
    label,
    leave: (how: string) => void told.push(`${label} ${how}`),
  })
  it('a newer one takes the place of the older', () => {
    const told: string[] = []
    const line = new WaitingLine<ReturnType<typeof entry>>(5)
    for (const [key, label] of [
      ['a', 'a1'],
      ['b', 'b1'],
      ['a', 'a2'],
    ] as const)
      line.add(entry(key, told, label))
    expect(told).toEqual(['a1 superseded'])
    expect([line.take()?.label, line.take()?.label, line.take()]).toEqual(['a2', 'b1', undefined])
  })
})
