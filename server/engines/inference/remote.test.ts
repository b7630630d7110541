import { expect, it } from 'vitest'
import { blindDetector } from '../../test/app.ts'
import { eventually } from '../../test/wire/agent.ts'
import { openMemoryLive } from '../live/memory.ts'
import { DetectorUnavailable } from './port.ts'
import { openRemoteDetector, shareDetector } from './remote.ts'

const live = openMemoryLive({ warn: () => undefined, error: () => undefined })

const PICTURE = new Uint8Array(200)
const looked: string[] = []
/** A worker that notes what it was given. */
const worker = (name: string, submit = blindDetector().submit) =>
  shareDetector(
    live,
    blindDetector({
      health: () => ({ state: 'ready', queued: 1 }),
      submit: (key, picture, options) => {
        looked.push(name)
        return submit(key, picture, options)
      },
    }),
  )

it('a worker that dies with a picture in its hands costs no look: the other one is asked', async () => {
  // It never answers, as one that was killed.
  const hangs = await worker('hangs', () => new Promise(() => undefined))
  const answers = await worker('answers')
  const detector = await openRemoteDetector(live, 'vigil')
  await eventually(() => (detector.health().queued === 2 ? true : undefined))
  // Each printer prefers one of the two: of twenty some prefer the one that will die.
  const keys = Array.from({ length: 20 }, (_, n) => String(n))
  const seen = keys.map((key) => detector.submit(key, PICTURE))
  await eventually(() => (looked.length === keys.length ? true : undefined))
  const held = looked.filter((name) => name === 'hangs').length
  expect(held).toBeGreaterThan(0)
  hangs()
  expect((await Promise.all(seen)).map(({ kind }) => kind)).toEqual(keys.map(() => 'inspected'))
  // Those that it held, and no other, were looked at by the other one as well.
  expect(looked).toHaveLength(keys.length + held)
  // It is not asked again.
  looked.length = 0
  await Promise.all(keys.map((key) => detector.submit(key, PICTURE)))
  expect(new Set(looked)).toEqual(new Set(['answers']))

  // The last one goes: nobody claims to look.
  answers()
  await expect(detector.submit('1', PICTURE)).rejects.toThrow(DetectorUnavailable)
  await detector.close()
})
