import { ActionIcon } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers.ts'
import { IconMaximize, IconRotateClockwise } from '@tabler/icons-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useShortcut } from '../../../lib/shortcuts.ts'
import { orientation } from '../camera.ts'
import { CameraPicture } from '../CameraPicture.tsx'
import { useTurn } from '../useTurn.ts'
import styles from './ControlPage.module.css'

/** The big picture: what the camera saw last, with the boxes that the detector drew. */
export function CameraPanel({ printer }: { printer: Printer }) {
  const { t } = useTranslation('printers')
  const ref = useRef<HTMLDivElement>(null)
  const [turned, turn] = useTurn(printer)
  const canGoFull = document.fullscreenEnabled

  function toggleFull() {
    if (document.fullscreenElement) void document.exitFullscreen()
    else void ref.current?.requestFullscreen()
  }

  useShortcut('fullScreen', canGoFull ? toggleFull : null)
  useShortcut('turnCamera', turn)

  return (
    <div
      className={styles.camera}
      ref={ref}
      data-tall={orientation(printer, turned).ratio < 1.2 || undefined}
    >
      <CameraPicture printer={printer} />
      <div className={styles.cameraBar}>
        <span>{t('camera.snapshots')}</span>
        <span>
          <ActionIcon aria-label={t('camera.rotate')} title={t('camera.rotate')} onClick={turn}>
            <IconRotateClockwise size={18} stroke={1.75} />
          </ActionIcon>
          {canGoFull && (
            <ActionIcon aria-label={t('camera.full')} title={t('camera.full')} onClick={toggleFull}>
              <IconMaximize size={18} stroke={1.75} />
            </ActionIcon>
          )}
        </span>
      </div>
    </div>
  )
}
