import type { Printer } from '@vigil/contract/printers.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStoredChoice } from '../../../lib/stored.ts'
import { alertPicture } from '../CameraPicture.tsx'
import { type Camera, cameras } from '../camera.ts'

/** What can stand in the big place: the picture that an alert is about, or what a camera shows now. */
export interface View {
  key: string
  kind: 'alert' | 'live'
  camera: Camera
}

const ALL = 'all'
const ALERT = 'alert'

export interface Views {
  all: Camera[]
  /** In the big place. */
  big: View
  /** Beside it, in the order of the cameras. */
  rest: View[]
  show: (key: string) => void
  /** One camera by its key, or `all`; remembered in this browser (key of api-contract 11.4). */
  preferred: string
  prefer: (key: string) => void
}

/**
 * Which pictures stand where. An alert's picture takes the big place until it is answered, and the live one stands
 * beside it; whoever wants it the other way round has it so until the page is left. A preferred camera that has
 * vanished means all of them (api-contract 11.3).
 */
export function useViews(printer: Printer): Views {
  const all = cameras(printer.settings)
  const main = all.find(({ primary }) => primary) as Camera
  const keys = all.map(({ key }) => key)
  const [preferred, prefer] = useStoredChoice(`preferredWebcam_${printer.id}`, [ALL, ...keys], ALL)
  const alerted = alertPicture(printer) ? (printer.current_print?.alerted_at ?? null) : null
  const [picked, setPicked] = useState<{ key: string; alerted: string | null } | null>(null)

  const lives = all
    .filter(
      (camera) => preferred === ALL || camera.key === preferred || (alerted !== null && camera === main),
    )
    .map((camera): View => ({ key: camera.key, kind: 'live', camera }))
  const views: View[] = alerted === null ? lives : [{ key: ALERT, kind: 'alert', camera: main }, ...lives]
  // A choice lasts as long as what it was made about.
  const wish = picked?.alerted === alerted ? picked.key : null
  const big =
    views.find(({ key }) => key === wish) ??
    views.find(({ kind, camera }) => kind === 'alert' || (alerted === null && camera.primary)) ??
    views[0]!
  return {
    all,
    big,
    rest: views.filter((view) => view !== big),
    show: (key) => setPicked({ key, alerted }),
    preferred,
    prefer: (key) => {
      setPicked(null)
      prefer(key)
    },
  }
}

/** What a camera is called: its own name, else what it is. */
export function useCameraName(): (camera: Camera, at: number) => string {
  const { t } = useTranslation('camera')
  return ({ name, primary, nozzle }, at) =>
    name || (nozzle ? t('nozzle') : primary ? t('main') : t('number', { number: at + 1 }))
}
