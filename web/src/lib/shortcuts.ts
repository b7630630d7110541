import { useEffect, useRef, useSyncExternalStore } from 'react'
import { readStored, useStoredChoice } from './stored.ts'

/**
 * Every keyboard shortcut, once: its keys, pressed one after the other, and where it belongs. No key begins two of
 * different length. The texts of the same names say what each does.
 */
export const SHORTCUTS = {
  help: { keys: '?', place: 'everywhere' },
  find: { keys: '/', place: 'everywhere' },
  goPrinters: { keys: 'g l', place: 'everywhere' },
  goPreferences: { keys: 'g p', place: 'everywhere' },
  pause: { keys: 'p', place: 'page' },
  cancel: { keys: 'c', place: 'page' },
  mute: { keys: 'm', place: 'page' },
  fullScreen: { keys: 'f', place: 'page' },
  play: { keys: 'k', place: 'page' },
  savePicture: { keys: 's', place: 'page' },
  float: { keys: 'i', place: 'page' },
  turnCamera: { keys: 'r', place: 'page' },
  terminal: { keys: 't', place: 'page' },
  goControl: { keys: 'g c', place: 'page' },
  goSettings: { keys: 'g s', place: 'page' },
  view: { keys: 'v', place: 'page' },
  linkPrinter: { keys: 'n', place: 'page' },
  sayBad: { keys: '1', place: 'page' },
  sayFine: { keys: '2', place: 'page' },
  sayUnsure: { keys: '3', place: 'page' },
} as const satisfies Record<string, { keys: string; place: 'everywhere' | 'page' }>

export type ShortcutName = keyof typeof SHORTCUTS

/** After this long a first key stands alone. */
const PATIENCE_MS = 1_500

const KEY = 'keyboard-shortcuts'

/** What the page at hand has registered, and what it does now. */
const registered = new Map<ShortcutName, () => void>()
const watchers = new Set<() => void>()
let names: readonly ShortcutName[] = []

function tell(): void {
  names = (Object.keys(SHORTCUTS) as ShortcutName[]).filter((name) => registered.has(name))
  for (const watcher of watchers) watcher()
}

/** Offers a shortcut for as long as the component stands; null while it would do nothing. */
export function useShortcut(name: ShortcutName, run: (() => void) | null): void {
  const latest = useRef(run)
  const offered = run !== null
  useEffect(() => {
    latest.current = run
  })
  useEffect(() => {
    if (!offered) return undefined
    const own = () => latest.current?.()
    registered.set(name, own)
    tell()
    return () => {
      if (registered.get(name) === own) registered.delete(name)
      tell()
    }
  }, [name, offered])
}

/** The shortcuts that do something on the page at hand, in the table's order. */
export function useOfferedShortcuts(): readonly ShortcutName[] {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => names,
  )
}

/** Whether this browser's person wants shortcuts at all: single letters can be in the way of other tools. */
export function useShortcutsWanted(): readonly ['on' | 'off', (value: 'on' | 'off') => void] {
  return useStoredChoice(KEY, ['on', 'off'], 'on')
}

/** The shortcut that has been typed whole, `more` when one begins so, else null. */
export function match(typed: string, offered: readonly ShortcutName[]): ShortcutName | 'more' | null {
  const whole = offered.find((name) => SHORTCUTS[name].keys === typed)
  if (whole) return whole
  return offered.some((name) => SHORTCUTS[name].keys.startsWith(`${typed} `)) ? 'more' : null
}

/** What a key press means, whatever the layout: `p` is also the key that writes `з` where Russian is typed. */
export function keyOf({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string | null {
  if (/^[!-~]$/.test(key)) return key.toLowerCase()
  return key.length === 1 ? (/^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? null) : null
}

/** Where letters are text, or choose among what is shown. */
const TAKES_LETTERS = `input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]:not([contenteditable=false]),
  [role=textbox], [role=searchbox], [role=combobox], [role=listbox], [role=menu], [role=slider], [role=application]`

function isMeant(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || event.isComposing) return false
  if (event.defaultPrevented || readStored(KEY) === 'off') return false
  if (event.target instanceof Element && event.target.closest(TAKES_LETTERS)) return false
  return !document.querySelector('[aria-modal=true]')
}

/** Hears the keys until told to stop. One listener serves the whole app. */
export function listenToKeys(): () => void {
  let typed = ''
  let at = 0
  function onKeyDown(event: KeyboardEvent) {
    const key = keyOf(event)
    if (key === null) return
    if (!isMeant(event)) {
      typed = ''
      return
    }
    typed = typed && event.timeStamp - at < PATIENCE_MS ? `${typed} ${key}` : key
    at = event.timeStamp
    const found = match(typed, names)
    if (found === 'more') return
    typed = ''
    if (found === null) return
    event.preventDefault()
    registered.get(found)?.()
  }
  document.addEventListener('keydown', onKeyDown)
  return () => document.removeEventListener('keydown', onKeyDown)
}
