import type { Printer } from '@vigil/contract/printers/printers.ts'
import type { ReactNode } from 'react'
import { useTranslation } from '../../lib/translation.ts'
import { useNow } from '../../lib/clock.ts'
import { ms } from '../../lib/format.ts'
import { useLine } from '../../lib/line.ts'
import { PictureTag } from '../../ui/PictureTag.tsx'
import { Snapshot } from '../../ui/Snapshot.tsx'
import { useTimeText } from '../../ui/time.tsx'
import { movingOf, type Video } from '../../video/index.ts'
import { isStale, mainCamera, orientation } from './camera.ts'
import { useLayer } from './layers.ts'
import { alertedSince, awayOf, hasOpenAlert, isAfterRestart, isOffline, isWaiting } from '../state.ts'
import { useTurn } from './useTurn.ts'

interface CameraPictureProps {
  printer: Printer
  /** The picture as it is now, though an alert waits for an answer. */
  live?: boolean
  /** Its moving picture, which takes the place of the still while it plays. */
  video?: Video | undefined
  /** SVG on the picture, turned with it. */
  overlay?: ReactNode
  topLeft?: ReactNode
  bottomLeft?: ReactNode
  center?: ReactNode
  /** A picture as small as a stamp: its age is told beside it. */
  bare?: boolean
  /** Of the place, where it isn't the camera's own: the picture is fitted in. */
  frameRatio?: number
  /** Lets the edges go to fill the place. */
  fill?: boolean
}

/** What the open alert is about, if there is a picture of it. */
export const alertPicture = (printer: Printer) => (hasOpenAlert(printer) ? (printer.alert_pic ?? null) : null)

/**
 * The main camera's last picture with its age; an old one is grey and dated, never shown as live. While an alert waits for an
 * answer, the picture that it is about stands in its place (docs/rules/pages.md 2).
 */
export function CameraPicture(props: CameraPictureProps) {
  const { printer, live, overlay, topLeft, bare, frameRatio, fill, video } = props
  const { t } = useTranslation('camera')
  const camera = mainCamera(printer.settings)
  const [turn] = useTurn(printer.id, camera)
  const turned = orientation(camera, turn)
  const shown = useShown(printer, live ?? false)
  const { name } = printer
  const moving = movingOf(video, t('altVideo', { name }))

  return (
    <Snapshot
      moving={moving}
      src={shown.src}
      alt={t(shown.kind === 'alert' ? 'altAlert' : 'alt', { name })}
      orientation={{ ...turned, ratio: frameRatio ?? turned.ratio }}
      stale={shown.stale}
      fill={fill ?? false}
      overlay={overlay}
      topLeft={topLeft}
      bottomLeft={props.bottomLeft}
      center={props.center}
      bottomRight={!bare && !moving?.size && shown.tag && <PictureTag>{shown.tag}</PictureTag>}
      empty={bare ? null : <Empty printer={printer} />}
    />
  )
}

/** Which picture stands there, how old it is, and what is written on it: the age of an alert is told beside the alert. */
export function useShown(printer: Printer, live: boolean) {
  const { t } = useTranslation('camera')
  const now = useNow()
  const { lost } = useLine()
  const { ago, moment } = useTimeText()
  const [boxes] = useLayer('boxes')
  const alert = live ? null : alertPicture(printer)
  const from = alert ?? printer.pic
  const src = from && (boxes ? from.img_url : (from.raw_url ?? from.img_url))
  if (alert) {
    const since = alertedSince(printer)
    const age = since === null ? null : t('noticed', { ago: ago((now - since) / 1000) })
    return { kind: 'alert', src, stale: false, age, tag: t('whenNoticed') } as const
  }
  const takenAt = ms(printer.watch?.picture_at)
  const stale = lost || isStale(printer, now)
  const age =
    takenAt === null || src === null
      ? null
      : stale
        ? t('from', { moment: moment(takenAt) })
        : ago((now - takenAt) / 1000)
  return { kind: 'live', src, stale, age, tag: age } as const
}

/** Why there is no picture. */
function Empty({ printer }: { printer: Printer }) {
  const { t } = useTranslation('camera')
  const now = useNow()
  const { ago } = useTimeText()
  const seenAt = ms(printer.agent?.last_seen_at)
  function hint(): string {
    if (isAfterRestart(printer)) return t('afterRestart')
    if (isWaiting(printer)) return t('waiting')
    if (awayOf(printer)) return t('away')
    if (!isOffline(printer)) return t('noneYet')
    return seenAt ? t('lastSeen', { ago: ago((now - seenAt) / 1000) }) : t('neverSeen')
  }
  return (
    <>
      {t('none')}
      <br />
      <small>{hint()}</small>
    </>
  )
}
