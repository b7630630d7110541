import type { SaveState } from '../../../ui/SettingRow.tsx'

/** How long saving is shown as under way, and its result after it (product-1 section 9). */
const SAVING_MS = 15_000
const RESULT_MS = 2_000

export const IDLE: SaveState = { phase: 'idle', error: null }

interface Surroundings<T> {
  /** Saves; says why it could not, or null. Never throws. */
  put: (value: T) => Promise<string | null>
  show: (state: SaveState) => void
  /** What there is to say when no answer comes. */
  tooSlow: () => string
}

/** Saves one field: some time after its last change or at once, and only the last answer counts. */
export function createSaver<T>({ put, show, tooSlow }: Surroundings<T>) {
  let waiting: { timer: ReturnType<typeof setTimeout>; value: T } | null = null
  let turn = 0

  async function save(value: T) {
    const mine = ++turn
    const showMine = (state: SaveState) => {
      if (mine === turn && !waiting) show(state)
    }
    waiting = null
    show({ phase: 'saving', error: null })
    const slow = setTimeout(() => showMine({ phase: 'failed', error: tooSlow() }), SAVING_MS)
    const error = await put(value)
    clearTimeout(slow)
    showMine(error === null ? { phase: 'saved', error } : { phase: 'failed', error })
    if (error === null) setTimeout(() => showMine(IDLE), RESULT_MS)
  }

  return {
    set(value: T, delayMs: number) {
      clearTimeout(waiting?.timer)
      waiting = null
      if (delayMs === 0) void save(value)
      else waiting = { value, timer: setTimeout(() => void save(value), delayMs) }
    },
    /** Saves at once what waits. */
    flush() {
      if (!waiting) return
      clearTimeout(waiting.timer)
      void save(waiting.value)
    },
  }
}
