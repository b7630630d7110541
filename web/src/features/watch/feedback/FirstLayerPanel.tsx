import { Button, Flex } from '@mantine/core'
import type { Print } from '@vigil/contract/prints/prints.ts'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { Panel } from '../../../ui/Panel.tsx'
import styles from './FirstLayer.module.css'
import { FirstLayerReport, Judged } from './FirstLayerReport.tsx'
import { remarkOf } from './labels.ts'

/** How many pictures stand beside the grade. */
const SHOWN = 3

/** A print's judged first layer in short, with its report; nothing where there is none. */
export function FirstLayerPanel({ print }: { print: Pick<Print, 'firstlayerinspection_set'> }) {
  const { t } = useTranslation('feedback')
  const [isOpen, setOpen] = useState(false)
  const layer = print.firstlayerinspection_set[0]
  if (!layer) return null
  const { images } = layer
  return (
    <Panel title={t('layer.title')} aside={t('layer.pictures', { count: images.length })}>
      <Judged layer={layer} />
      {images.length > 0 && (
        <div className={styles.pictures}>
          {images.slice(0, SHOWN).map((image, at) => (
            <img
              key={image.id}
              src={image.image_url}
              alt={t('layer.pictureAlt', { number: at + 1, seen: remarkOf(image, t) })}
              className={styles.thumb}
              loading="lazy"
            />
          ))}
        </div>
      )}
      <Flex wrap="wrap" gap={10} mt={14}>
        <Button onClick={() => setOpen(true)}>{t('layer.open')}</Button>
      </Flex>
      {isOpen && <FirstLayerReport layer={layer} onClose={() => setOpen(false)} />}
    </Panel>
  )
}
