import { useCallback, useSyncExternalStore } from 'react'

/** Browser-local preferences. Storage can be refused or full: then a choice lasts as long as the page. */
const fallback = new Map<string, string>()
const listeners = new Set<() => void>()

export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key) ?? fallback.get(key) ?? null
  } catch {
    return fallback.get(key) ?? null
  }
}

export function writeStored(key: string, value: string | null): void {
  try {
    fallback.delete(key)
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    if (value !== null) fallback.set(key, value)
  }
  for (const listener of listeners) listener()
}

/** Whom this browser has welcomed to their trial; of so many it knows. */
const WELCOMED = 'welcomed'
const KNOWN = 20
const welcomed = () => (readStored(WELCOMED) ?? '').slice(0, 400).split(' ')

/** Whether somebody was welcomed to their trial in this browser. */
export const wasWelcomed = (id: number): boolean => welcomed().includes(String(id))

export function noteWelcomed(id: number): void {
  const others = welcomed().filter((one) => one !== '' && one !== String(id))
  writeStored(WELCOMED, [String(id), ...others].slice(0, KNOWN).join(' '))
}

export function subscribeStored(listener: () => void): () => void {
  listeners.add(listener)
  globalThis.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    globalThis.removeEventListener('storage', listener)
  }
}

/** One of a few words, kept in this browser under `key`. */
export function useStoredChoice<T extends string>(
  key: string,
  choices: readonly T[],
  initial: T,
): readonly [T, (value: T) => void] {
  const raw = useSyncExternalStore(subscribeStored, () => readStored(key))
  const value = choices.find((choice) => choice === raw) ?? initial
  const set = useCallback((next: T) => writeStored(key, next), [key])
  return [value, set]
}
