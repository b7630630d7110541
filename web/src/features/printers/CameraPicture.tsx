import type { Printer } from '@vigil/contract/printers.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNow } from '../../lib/clock.ts'
import { ms } from '../../lib/format.ts'
import { PictureTag } from '../../ui/PictureTag.tsx'
import { Snapshot } from '../../ui/Snapshot.tsx'
import { useTimeText } from '../../ui/time.tsx'
import { isStale, orientation } from './camera.ts'
import { useTurn } from './useTurn.ts'
import { isOffline, isWaiting } from './state.ts'

interface CameraPictureProps {
  printer: Printer
  topLeft?: ReactNode
  /** Of the place, where it isn't the camera's own: the picture is fitted in. */
  frameRatio?: number
  /** Lets the edges go to fill the place. */
  fill?: boolean
}

/** The last picture with its age; an old one is grey and dated, never shown as live. */
export function CameraPicture({ printer, topLeft, frameRatio, fill }: CameraPictureProps) {
  const { t } = useTranslation('printers')
  const now = useNow()
  const { ago, moment } = useTimeText()
  const takenAt = ms(printer.watch?.picture_at)
  const seenAt = ms(printer.agent?.last_seen_at)
  const [turn] = useTurn(printer)
  const turned = orientation(printer, turn)
  const stale = isStale(printer, now)
  const hint = isWaiting(printer) ? t('camera.waiting') : seenHint()

  function seenHint(): string {
    if (!isOffline(printer)) return t('camera.noneYet')
    return seenAt ? t('camera.lastSeen', { ago: ago((now - seenAt) / 1000) }) : t('camera.neverSeen')
  }

  return (
    <Snapshot
      src={printer.pic?.img_url ?? null}
      alt={t('camera.alt', { name: printer.name })}
      orientation={{ ...turned, ratio: frameRatio ?? turned.ratio }}
      stale={stale}
      fill={fill ?? false}
      topLeft={topLeft}
      bottomRight={
        takenAt !== null && (
          <PictureTag>
            {stale ? t('camera.from', { moment: moment(takenAt) }) : ago((now - takenAt) / 1000)}
          </PictureTag>
        )
      }
      empty={
        <>
          {t('camera.none')}
          <br />
          <small>{hint}</small>
        </>
      }
    />
  )
}
