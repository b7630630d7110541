import { ActionIcon, Checkbox } from '@mantine/core'
import { IconPhoto } from '@tabler/icons-react'
import { LAYER_LABELS, type LayerLabel } from '@vigil/contract/watch/first-layer.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../ui/Dialog.tsx'
import styles from './Feedback.module.css'
import { LayerDrawing } from './LayerDrawing.tsx'
import { toggled } from './labels.ts'

interface LabelListProps {
  chosen: readonly LayerLabel[]
  onChange: (labels: LayerLabel[]) => void
}

/** What a first layer may show, each with examples of how it looks. */
export function LabelList({ chosen, onChange }: LabelListProps) {
  const { t } = useTranslation('feedback')
  const [shown, setShown] = useState<LayerLabel | null>(null)
  return (
    <fieldset className={styles.question}>
      <legend className={styles.legend}>{t('survey.question')}</legend>
      <div className={styles.labels}>
        {LAYER_LABELS.map((label) => (
          <div key={label} className={styles.label}>
            <Checkbox
              label={t(`label.${label}.name`)}
              checked={chosen.includes(label)}
              onChange={() => onChange(toggled(chosen, label))}
            />
            <ActionIcon
              aria-label={t('survey.examplesOf', { label: t(`label.${label}.name`) })}
              onClick={() => setShown(label)}
            >
              <IconPhoto size={18} stroke={1.75} />
            </ActionIcon>
          </div>
        ))}
      </div>
      {shown && (
        <Dialog title={t(`label.${shown}.name`)} size={520} onClose={() => setShown(null)}>
          <p>{t(`label.${shown}.text`)}</p>
          <div className={styles.examples}>
            {([0, 1] as const).map((example) => (
              <LayerDrawing
                key={example}
                label={shown}
                example={example}
                alt={t('survey.example', { label: t(`label.${shown}.name`), number: example + 1 })}
              />
            ))}
          </div>
        </Dialog>
      )}
    </fieldset>
  )
}
