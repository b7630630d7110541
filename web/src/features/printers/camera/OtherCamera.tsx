import { Button } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNow } from '../../../lib/clock.ts'
import { PictureTag } from '../../../ui/PictureTag.tsx'
import { Snapshot } from '../../../ui/Snapshot.tsx'
import { movingOf, type Video } from '../../../video/index.ts'
import { useTimeText } from '../../../ui/time.tsx'
import { type Camera, FRESH_IDLE_MS, orientation } from '../../../printer/camera/camera.ts'
import { useTurn } from '../../../printer/camera/useTurn.ts'
import styles from './Camera.module.css'
import { useStill } from './useStill.ts'

interface OtherCameraProps {
  printer: Printer
  camera: Camera
  frameRatio: number
  topLeft: ReactNode
  bottomLeft: ReactNode
  center: ReactNode
  video: Video
}

/** A camera whose pictures nobody sends: one can be asked for, where the agent takes it. */
export function OtherCamera({ printer, camera, frameRatio, video, ...corners }: OtherCameraProps) {
  const { t } = useTranslation('camera')
  const now = useNow()
  const { ago, moment } = useTimeText()
  const [turn] = useTurn(printer.id, camera)
  const { still, asking, ask } = useStill(printer, camera)
  const moving = movingOf(video, t('altVideo', { name: printer.name }))
  const old = still !== null && now - still.at > FRESH_IDLE_MS
  const button = ask && (
    <Button size="xs" loading={asking} onClick={() => void ask()}>
      {t(still ? 'still.again' : 'still.ask')}
    </Button>
  )
  return (
    <Snapshot
      {...corners}
      moving={moving}
      src={still?.src ?? null}
      alt={t('alt', { name: printer.name })}
      orientation={{
        ...orientation(camera, turn),
        ratio: still || moving?.size ? frameRatio : Math.max(frameRatio, 16 / 9),
      }}
      stale={old}
      bottomRight={
        still &&
        !moving?.size && (
          <span className={styles.stillFoot}>
            {button}
            <PictureTag>
              {old ? t('from', { moment: moment(still.at) }) : ago((now - still.at) / 1000)}
            </PictureTag>
          </span>
        )
      }
      empty={
        <>
          {t('none')}
          <br />
          <small>{t('mainOnly')}</small>
          {button && <p className={styles.stillAsk}>{button}</p>}
        </>
      }
    />
  )
}
