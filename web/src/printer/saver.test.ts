import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SaveState } from '../ui/SettingRow.tsx'
import { createSaver, type Refusal } from './saver.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function aSaver() {
  const put: { value: string; answer: (refusal: Refusal | null) => Promise<void> }[] = []
  const shown: SaveState[] = []
  const saver = createSaver<string>({
    put: (value) =>
      new Promise((resolve) => {
        put.push({
          value,
          async answer(refusal) {
            resolve(refusal)
            await vi.advanceTimersByTimeAsync(0)
          },
        })
      }),
    show: (state) => shown.push(state),
    tooSlow: () => 'no answer',
  })
  return {
    saver,
    put,
    shown,
    values: () => put.map(({ value }) => value),
    phases: () => shown.map((s) => s.phase),
  }
}

describe('a field', () => {
  it('is saved a second after its last change, once', async () => {
    const { saver, put, values, phases } = aSaver()
    saver.set('a', 1000)
    await vi.advanceTimersByTimeAsync(900)
    saver.set('ab', 1000)
    await vi.advanceTimersByTimeAsync(999)
    expect(values()).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(values()).toEqual(['ab'])
    await put[0]!.answer(null)
    expect(phases()).toEqual(['saving', 'saved'])
    await vi.advanceTimersByTimeAsync(1999)
    expect(phases()).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(1)
    expect(phases().at(-1)).toBe('idle')
  })

  it('is saved at once by a switch, and when it is left', async () => {
    const { saver, values } = aSaver()
    saver.set('on', 0)
    saver.set('typed', 1000)
    saver.flush()
    saver.flush()
    await vi.advanceTimersByTimeAsync(2000)
    expect(values()).toEqual(['on', 'typed'])
  })

  it('keeps its refusal beside it until it is changed', async () => {
    const { saver, put, shown } = aSaver()
    saver.set('', 0)
    await put[0]!.answer({ error: 'May not be blank.', again: false })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(shown.at(-1)).toEqual({ phase: 'failed', error: 'May not be blank.' })
  })

  it('is tried again with the same value, where that may help', async () => {
    const { saver, put, shown, values } = aSaver()
    saver.set('on', 0)
    await put[0]!.answer({ error: 'no line', again: true })
    shown.at(-1)!.onRetry!()
    expect(values()).toEqual(['on', 'on'])
    await put[1]!.answer(null)
    expect(shown.at(-1)).toEqual({ phase: 'saved', error: null })
  })

  it('shows only what came of the last change', async () => {
    const { saver, put, shown } = aSaver()
    saver.set('a', 0)
    saver.set('b', 0)
    await put[1]!.answer(null)
    await put[0]!.answer({ error: 'too late', again: true })
    expect(shown.at(-1)).toEqual({ phase: 'saved', error: null })
    saver.set('c', 1000)
    await vi.advanceTimersByTimeAsync(1000)
    expect(shown.at(-1)?.phase).toBe('saving')
  })

  it('says after 15 s that no answer came, and still hears one', async () => {
    const { saver, put, shown } = aSaver()
    saver.set('a', 0)
    await vi.advanceTimersByTimeAsync(14_999)
    expect(shown.at(-1)?.phase).toBe('saving')
    await vi.advanceTimersByTimeAsync(1)
    expect(shown.at(-1)).toMatchObject({ phase: 'failed', error: 'no answer' })
    await put[0]!.answer(null)
    expect(shown.at(-1)?.phase).toBe('saved')
  })
})
