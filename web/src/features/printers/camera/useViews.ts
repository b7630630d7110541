import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useState } from 'react'
import { useStoredChoice } from '../../../lib/stored.ts'
import { alertPicture } from '../../../printer/camera/CameraPicture.tsx'
import { type Camera, cameras } from '../../../printer/camera/camera.ts'
import { ALL, arrange, type View } from './views.ts'

export interface Views {
  all: Camera[]
  /** In the big place. */
  big: View
  /** Beside it, in the order of the cameras. */
  rest: View[]
  /** Puts a view into the big place, until the alert changes or the page is left. */
  show: (key: string) => void
  /** One camera by its key, or `all`; remembered in this browser (key of docs/wire/browsers.md 4). */
  preferred: string
  prefer: (key: string) => void
}

/** The printer's pictures and which of them stands in the big place. */
export function useViews(printer: Printer): Views {
  const all = cameras(printer.settings)
  const keys = all.map(({ key }) => key)
  const [preferred, prefer] = useStoredChoice(`preferredWebcam_${printer.id}`, [ALL, ...keys], ALL)
  const [picked, setPicked] = useState<{ key: string; alerted: string | null } | null>(null)
  const alerted = alertPicture(printer) ? (printer.current_print?.alerted_at ?? null) : null
  return {
    all,
    ...arrange(all, { preferred, alerted, picked }),
    show: (key) => setPicked({ key, alerted }),
    preferred,
    prefer: (key) => {
      setPicked(null)
      prefer(key)
    },
  }
}
