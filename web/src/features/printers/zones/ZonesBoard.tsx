import { Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from '../../../lib/translation.ts'
import type { Orientation } from '../../../ui/Snapshot.tsx'
import { BOX, isWhole, MOST_POINTS, MOST_ZONES } from './outline.ts'
import type { Drawing } from './useDrawing.ts'
import styles from './Zones.module.css'
import { ZonesCanvas } from './ZonesCanvas.tsx'

interface ZonesBoardProps {
  src: string
  turned: Omit<Orientation, 'ratio'>
  drawing: Drawing
}

/** The picture that is drawn on, and how. */
export function ZonesBoard({ src, turned, drawing }: ZonesBoardProps) {
  const { t } = useTranslation('zones')
  const { zones, setZones, selected, setSelected, draft, setDraft, add, drop } = drawing
  return (
    <>
      <ZonesCanvas
        src={src}
        turned={turned}
        zones={zones}
        selected={selected}
        draft={draft}
        onZones={setZones}
        onSelect={setSelected}
        onDraft={setDraft}
        onDrop={drop}
        onClosed={() => draft && isWhole(draft) && add(draft)}
      />
      <p className={styles.hint}>
        {draft ? t('hintDraw') : t('hintEdit')} <span className={styles.keys}>{t('hintKeys')}</span>
      </p>
    </>
  )
}

/** What can be done with the zones: closing the one that is drawn, a new one, none any more. */
export function ZoneTools({ drawing, canAbandon = false }: { drawing: Drawing; canAbandon?: boolean }) {
  const { t } = useTranslation('zones')
  const { zones, selected, setSelected, draft, setDraft, add, drop } = drawing
  const full = zones.length >= MOST_ZONES
  return (
    <>
      {draft ? (
        <>
          <Button disabled={!isWhole(draft)} onClick={() => add(draft)}>
            {t('closeZone')}
          </Button>
          <Button disabled={draft.length === 0} onClick={() => setDraft(draft.slice(0, -1))}>
            {t('undo')}
          </Button>
          <Button onClick={() => add(BOX)}>{t('newBox')}</Button>
          {(canAbandon || zones.length > 0) && <Button onClick={() => setDraft(null)}>{t('abandon')}</Button>}
        </>
      ) : (
        <>
          <Button
            leftSection={<IconPlus size={16} stroke={2} />}
            disabled={full}
            title={full ? t('most') : undefined}
            onClick={() => {
              setSelected(null)
              setDraft([])
            }}
          >
            {t('new')}
          </Button>
          <Button
            leftSection={<IconTrash size={16} stroke={1.75} />}
            disabled={selected === null}
            onClick={() => selected !== null && drop(selected)}
          >
            {t('dropZone')}
          </Button>
        </>
      )}
      {draft && draft.length >= MOST_POINTS && <span className={styles.hint}>{t('mostPoints')}</span>}
    </>
  )
}
