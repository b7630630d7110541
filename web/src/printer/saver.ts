import type { SaveState } from '../ui/SettingRow.tsx'

/** How long saving is shown as under way, and its result after it (docs/rules/pages.md 1). */
const SAVING_MS = 15_000
const RESULT_MS = 2_000

export const IDLE: SaveState = { phase: 'idle', error: null }

/** Why a field was not saved, and whether saving it again may help. */
export interface Refusal {
  error: string
  again: boolean
  /** Of several fields that are saved together: what is wrong of each. */
  fields?: Readonly<Record<string, string>>
}

export interface Surroundings<T> {
  /** Saves; says why it could not, or null. Never throws. */
  put: (value: T) => Promise<Refusal | null>
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
    const failed = ({ error, again, fields }: Refusal): SaveState => ({
      phase: 'failed',
      error,
      ...(fields ? { fields } : {}),
      ...(again ? { onRetry: () => void save(value) } : {}),
    })
    const slow = setTimeout(() => showMine(failed({ error: tooSlow(), again: true })), SAVING_MS)
    const refusal = await put(value)
    clearTimeout(slow)
    showMine(refusal ? failed(refusal) : { phase: 'saved', error: null })
    if (!refusal) setTimeout(() => showMine(IDLE), RESULT_MS)
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
