import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import type { Zone } from '@vigil/contract/printers/zones.ts'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { mainCamera, orientation } from '../../../printer/camera/camera.ts'
import { useTurn } from '../../../printer/camera/useTurn.ts'
import { lazyDialog } from '../../../ui/lazily.tsx'
import { useProblemText } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { type Orientation, Snapshot } from '../../../ui/Snapshot.tsx'
import { zonesQuery } from './zones.api.ts'
import shared from '../../../ui/shared.module.css'
import styles from './Zones.module.css'
import { ZoneShapes } from './ZoneShapes.tsx'

const ZonesEditor = lazyDialog(async () => (await import('./ZonesEditor.tsx')).ZonesEditor)

/** As the control page turns the picture. */
function useTurned(printer: Printer) {
  const camera = mainCamera(printer.settings)
  const [turn] = useTurn(printer.id, camera)
  return orientation(camera, turn)
}

/** What the detector leaves out, shown on the newest picture. */
export function ZonesPanel({ printer }: { printer: Printer }) {
  const { t } = useTranslation('zones')
  const { t: common } = useTranslation('common')
  const problemText = useProblemText()
  const { data, error, refetch } = useQuery(zonesQuery(printer.id))
  const [editing, setEditing] = useState(false)
  const turned = useTurned(printer)
  const src = printer.pic?.raw_url ?? printer.pic?.img_url ?? null
  const zones = data?.zones ?? []

  return (
    <Panel title={t('title')}>
      <p className={styles.lead}>{t('lead')}</p>
      {src && data && (
        <div className={styles.preview}>
          <ZonesPicture src={src} turned={turned} zones={zones} label={t('picture')} />
        </div>
      )}
      <div className={styles.foot}>
        {data && (
          <p role="status">
            {zones.length > 0 ? t('count', { count: zones.length }) : src ? t('none') : t('noPicture')}
          </p>
        )}
        {!data && !error && <Skeleton height={20} width={200} />}
        {!data && error && (
          <p role="alert" className={shared.problem}>
            {t('failed')}. {problemText(problemOf(error))}
          </p>
        )}
        {!data && error ? (
          <Button onClick={() => void refetch()}>{common('tryAgain')}</Button>
        ) : (
          <Button disabled={!src || !data} onClick={() => setEditing(true)}>
            {zones.length > 0 ? t('edit') : t('draw')}
          </Button>
        )}
      </div>
      {editing && src && (
        <ZonesEditor
          printer={printer}
          src={src}
          turned={turned}
          initial={zones}
          onClose={() => setEditing(false)}
        />
      )}
    </Panel>
  )
}

interface ZonesPictureProps {
  src: string
  turned: Orientation & { ratio: number }
  zones: Zone[]
  label: string
}

/** The camera picture as it is shown elsewhere, with the zones on it. */
function ZonesPicture({ src, turned, zones, label }: ZonesPictureProps) {
  return (
    <Snapshot
      src={src}
      alt={label}
      orientation={{ ...turned, ratio: null }}
      expected={turned.ratio}
      overlay={<ZoneShapes zones={zones} />}
    />
  )
}
