import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { paths } from '../../../lib/paths.ts'
import { listenToKeys, useShortcut } from '../../../lib/shortcuts.ts'
import { lazyDialog } from '../../../ui/lazily.tsx'

const ShortcutsDialog = lazyDialog(async () => (await import('./ShortcutsDialog.tsx')).ShortcutsDialog)

let show: (() => void) | null = null

/** Opens the list of shortcuts, for those who don't know the key yet. */
export function openShortcuts(): void {
  show?.()
}

/** Hears the keys of the signed-in, brings the shortcuts of every page, and shows the list of them. */
export function Shortcuts() {
  const navigate = useNavigate()
  const [open, setOpen] = useState(false)

  useEffect(listenToKeys, [])
  useEffect(() => {
    show = () => setOpen(true)
    return () => {
      show = null
    }
  }, [])
  useShortcut('help', () => setOpen(true))
  useShortcut('goPrinters', () => void navigate({ to: paths.printers }))
  useShortcut('goPreferences', () => void navigate({ to: paths.preferences }))

  if (!open) return null
  return <ShortcutsDialog onClose={() => setOpen(false)} />
}
