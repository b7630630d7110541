import type { Printer } from '@vigil/contract/printers/printers.ts'
import { IconVideo, IconVideoOff } from '@tabler/icons-react'
import { useTranslation } from '../../../lib/translation.ts'
import { hasVideo } from '../../../printer/camera/camera.ts'
import { CameraPicture, useShown } from '../../../printer/camera/CameraPicture.tsx'
import { useCameraVideo } from '../../../printer/camera/useCameraVideo.ts'
import styles from './Camera.module.css'
import { useCameraName } from '../../../printer/camera/useCameraName.ts'
import type { Views } from './useViews.ts'
import type { View } from './views.ts'

/** The pictures that are not in the big place, each a button that puts it there. */
export function ViewStrip({ printer, views }: { printer: Printer; views: Views }) {
  const { t } = useTranslation('camera')
  if (views.rest.length === 0) return null
  return (
    <div className={styles.strip} role="group" aria-label={t('others')}>
      {views.rest.map((view) => (
        <Stamp key={view.key} printer={printer} view={view} views={views} />
      ))}
    </div>
  )
}

interface StampProps {
  printer: Printer
  view: View
  views: Views
}

function Stamp({ printer, view, views }: StampProps) {
  const { t } = useTranslation('camera')
  const nameOf = useCameraName()
  const shown = useShown(printer, view.kind === 'live')
  // No other camera's pictures come by themselves.
  const { age, src } = view.camera.primary ? shown : { age: null, src: null }
  const isBesideAlert = view.kind === 'live' && view.camera.primary && views.big.kind === 'alert'
  const video = useCameraVideo(printer, view.camera, isBesideAlert)
  const moves = hasVideo(printer, view.camera)
  const Sign = moves ? IconVideo : IconVideoOff
  const isMain = view.camera.primary && (views.all.length === 1 || views.big.kind === 'alert')
  const title =
    view.kind === 'alert'
      ? t('alertView')
      : isMain
        ? t('liveView')
        : nameOf(view.camera, views.all.indexOf(view.camera))
  return (
    <button type="button" className={styles.stamp} onClick={() => views.show(view.key)}>
      <span className={styles.stampPicture} data-empty={src === null || undefined}>
        {src === null ? (
          <Sign size={22} stroke={1.5} aria-hidden />
        ) : (
          <CameraPicture
            printer={printer}
            live={view.kind === 'live'}
            frameRatio={16 / 9}
            video={video}
            bare
          />
        )}
      </span>
      <span className={styles.stampText}>
        <strong>{title}</strong>
        <small aria-live="off">{age ?? t(moves ? 'video' : 'none')}</small>
      </span>
    </button>
  )
}
