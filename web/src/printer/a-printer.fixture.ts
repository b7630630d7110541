import type { Printer } from '@vigil/contract/printers/printers.ts'

/** ms since 1970 of these printers' statuses. */
export const NOW = 1_800_000_000_000

/** A status as an agent that says `text` sends it. */
export function status(text: string, more: Record<string, unknown> = {}) {
  const flags = {
    operational: true,
    printing: text === 'Printing',
    paused: text === 'Paused',
    ready: text === 'Operational',
  }
  return { _ts: NOW / 1000, state: { text, flags }, ...more }
}

/** An idle printer that is watched, but for `more`. */
export function aPrinter(more: Record<string, unknown> = {}): Printer {
  return {
    id: 1,
    name: 'A',
    created_at: '2026-01-01T00:00:00Z',
    archived_at: null,
    role: 'owner',
    shared_by: null,
    normalized_p: 0,
    not_watching_reason: null,
    status: status('Operational'),
    current_print: null,
    watch: {
      state: 'watching',
      code: null,
      reason: null,
      picture_at: null,
      checked_at: '2026-01-01T00:00:00Z',
      checked_every: 10,
      watched_percent: null,
      is_camera_strange: false,
    },
    agent: { state: 'connected', last_seen_at: null },
    ...more,
  } as unknown as Printer
}
