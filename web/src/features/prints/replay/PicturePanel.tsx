import { useQuery } from '@tanstack/react-query'
import type { Replay } from '@vigil/contract/prints/replay.ts'
import type { Zone } from '@vigil/contract/printers/zones.ts'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { mainCamera, orientation } from '../../../printer/camera/camera.ts'
import { useTurn } from '../../../printer/camera/useTurn.ts'
import { printerQuery } from '../../../printer/printers.api.ts'
import { Panel } from '../../../ui/Panel.tsx'
import type { Orientation } from '../../../ui/Snapshot.tsx'
import { asShown, asStored, useDrawing, ZonesBoard, ZoneTools } from '../../printers/zones/index.ts'
import styles from './Replay.module.css'
import { frameQuery } from './replay.api.ts'

/** A camera of which nobody knows how it is turned. */
const UPRIGHT = { flipH: false, flipV: false, rotation: 0, ratio: 16 / 9 } as const

/** How a printer's picture is turned: undefined while that is asked. */
function useTurned(printerId: number | null): Orientation | undefined {
  const { data, error } = useQuery({
    ...printerQuery(printerId ?? 0),
    enabled: printerId !== null,
    retry: false,
  })
  const camera = mainCamera(data?.settings ?? {})
  const [turn] = useTurn(printerId ?? 0, camera)
  if (printerId === null || error) return UPRIGHT
  return data ? orientation(camera, turn) : undefined
}

interface PicturePanelProps {
  replay: Replay
  /** The moment, in seconds since the first look. */
  at: number
  zones: Zone[]
  onZones: (zones: Zone[]) => void
}

/** The stored picture of that moment, with the zones that are tried drawn on it. */
export function PicturePanel(props: PicturePanelProps) {
  const { t } = useTranslation('replay')
  const { replay, at } = props
  const turned = useTurned(replay.printer?.id ?? null)
  const { data } = useQuery(frameQuery(replay.print_id, Math.round(at)))
  return (
    <Panel title={t('picture.title')}>
      <p className={styles.lead}>{t('picture.lead')}</p>
      {data?.url && turned ? (
        <Board {...props} src={data.url} turned={turned} />
      ) : (
        <div className={styles.noPicture} aria-busy={data === undefined}>
          {data && !data.url ? t('picture.none') : null}
        </div>
      )}
    </Panel>
  )
}

interface BoardProps extends PicturePanelProps {
  src: string
  turned: Orientation
}

function Board({ src, turned, zones, onZones }: BoardProps) {
  // The picture's turn does not change while it is drawn on.
  const [way] = useState(turned)
  const drawing = useDrawing(
    zones.map((zone) => asShown(zone, way)),
    false,
  )
  const tell = useRef(onZones)
  tell.current = onZones
  const first = useRef(drawing.zones)
  useEffect(() => {
    if (drawing.zones === first.current) return
    first.current = drawing.zones
    tell.current(drawing.zones.map((zone) => asStored(zone, way)))
  }, [drawing.zones, way])
  return (
    <>
      <ZonesBoard src={src} turned={way} drawing={drawing} />
      <div className={styles.tools}>
        <ZoneTools drawing={drawing} canAbandon />
      </div>
    </>
  )
}
