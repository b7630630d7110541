import type { FirstLayerInspection, LayerGrade } from '@vigil/contract/first-layer.ts'
import type { Print } from '@vigil/contract/prints.ts'
import { useTranslation } from 'react-i18next'
import { ms } from '../../lib/format.ts'
import { Panel } from '../../ui/Panel.tsx'
import { useTimeText } from '../../ui/time.tsx'
import styles from './PrintPage.module.css'

/** So many of its pictures are shown in the card. */
const PICTURES = 3

/** The judged first layers of a print. */
export function FirstLayers({ print }: { print: Print }) {
  return print.firstlayerinspection_set.map((inspection) => (
    <FirstLayer key={inspection.id} inspection={inspection} />
  ))
}

function FirstLayer({ inspection }: { inspection: FirstLayerInspection }) {
  const { t } = useTranslation('printpage')
  const { moment } = useTimeText()
  const at = ms(inspection.created_at)
  const { grade, score, images } = inspection
  return (
    <Panel title={t('layer.title')} aside={at === null ? null : moment(at)}>
      {grade === null || score === null ? (
        <p className={styles.quiet}>{t('layer.unjudged')}</p>
      ) : (
        <Grade grade={grade} score={score} />
      )}
      <div className={styles.layerPictures}>
        {images.slice(0, PICTURES).map((image) => (
          <img key={image.id} src={image.image_url} alt="" loading="lazy" />
        ))}
      </div>
    </Panel>
  )
}

/** The letter, and what follows from it. */
function Grade({ grade, score }: { grade: LayerGrade; score: number }) {
  const { t } = useTranslation('printpage')
  return (
    <div className={styles.grade}>
      <span className={styles.letter} aria-hidden>
        {grade}
      </span>
      <div>
        <strong>
          {t('layer.graded', { grade, title: t(`layer.${grade}.title`), score: Math.round(score) })}
        </strong>
        <p>{t(`layer.${grade}.remarks`)}</p>
        <p>{t(`layer.${grade}.suggestions`)}</p>
      </div>
    </div>
  )
}
