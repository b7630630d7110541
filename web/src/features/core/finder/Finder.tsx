import { useEffect, useState } from 'react'
import { useShortcut } from '../../../lib/shortcuts.ts'
import { lazyDialog } from '../../../ui/lazily.tsx'

const FinderDialog = lazyDialog(async () => (await import('./FinderDialog.tsx')).FinderDialog)

let show: (() => void) | null = null

/** Opens the search for everything, for those who have no keys, or do not know them. */
export function openFinder(): void {
  show?.()
}

/** Ctrl and K, or ⌘ and K; whatever else is held means another thing. */
const isCtrlK = ({ key, code, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent) =>
  (key.toLowerCase() === 'k' || code === 'KeyK') && ctrlKey !== metaKey && !altKey && !shiftKey

/** Hears the keys of the search, and shows it; its code comes when it is wanted. */
export function Finder() {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    show = () => setOpen(true)
    function onKeyDown(event: KeyboardEvent) {
      if (!isCtrlK(event) || event.isComposing || event.defaultPrevented) return
      // A question that waits for its answer, or another dialog, goes before.
      if (document.querySelector('dialog[open], [aria-modal="true"]:not([data-finder])')) return
      event.preventDefault()
      setOpen((was) => !was)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => {
      show = null
      document.removeEventListener('keydown', onKeyDown)
    }
  }, [])
  useShortcut('find', () => setOpen(true))
  return isOpen && <FinderDialog onClose={() => setOpen(false)} />
}
