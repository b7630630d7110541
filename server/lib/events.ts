import type { PrinterId, PrintId } from './id.ts'
/**
 * What features tell each other after commit. What must not be missed is a job enqueued in the same transaction
 * instead (docs/architecture.md). The map is filled by declaration in the feature that says it.
 */
export interface EventMap {
  'printer.deleted': { printerId: PrinterId; why: 'deleted' | 'archived' | 'relinked' }
  /** A nozzle camera's picture that came with the webcam's; cleaned by who takes it. */
  'picture.nozzle': { printerId: PrinterId; bytes: Buffer }
  'print.started': { printerId: PrinterId; printId: PrintId }
  /** The first picture of a print has come; of an old one it may be told anew. */
  'print.pictured': { printerId: PrinterId; printId: PrintId }
  /** Tonight's backup was made, or was not: `reason` says why. */
  'backup.ended': { at: number; reason: string | null; bytes: number; whole: string | null }
  /** Stored files made room: prints that lost pictures, or films, and what they weighed. `isScarce`: there is too little all the same. */
  'storage.freed': { at: number; frames: number; films: number; bytes: number; isScarce: boolean }
  'print.ended': { printerId: PrinterId; printId: PrintId; cancelled: boolean }
}

type Listener<K extends keyof EventMap> = (event: EventMap[K]) => void

/** In-process events, typed; a listener that throws is the emitter's bug to see, not its problem. */
export interface Events {
  on<K extends keyof EventMap>(name: K, listener: Listener<K>): () => void
  emit<K extends keyof EventMap>(name: K, event: EventMap[K]): void
}

/** Makes an event hub; errors of listeners go to `onError`. */
export function createEvents(onError: (error: unknown) => void): Events {
  const listeners = new Map<keyof EventMap, Set<Listener<never>>>()
  return {
    on(name, listener) {
      const set = listeners.get(name) ?? new Set()
      listeners.set(name, set.add(listener))
      return () => set.delete(listener)
    },
    emit(name, event) {
      for (const listener of listeners.get(name) ?? []) {
        try {
          listener(event as never)
        } catch (error) {
          onError(error)
        }
      }
    },
  }
}
