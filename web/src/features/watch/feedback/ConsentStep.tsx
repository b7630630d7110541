import { Button, Checkbox } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Print } from '@vigil/contract/prints/prints.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { problemOf } from '../../../lib/errors.ts'
import { useProblemText } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import styles from './Feedback.module.css'
import { askedPrintQuery, consent } from './feedback.api.ts'
import { useHoursNote } from './useHoursNote.ts'

/** How long one picture takes. */
const SECONDS_A_PICTURE = 12

/** Before the first picture: what it is for, how long it takes, what it earns, and leave to look at the print. */
export function ConsentStep({ print }: { print: Print }) {
  const { t } = useTranslation('feedback')
  const { duration } = useTimeText()
  const hoursNote = useHoursNote()
  const problemText = useProblemText()
  const client = useQueryClient()
  const [isAgreed, setAgreed] = useState(false)
  const count = print.printshotfeedback_set.length
  const starting = useMutation({
    mutationFn: () => consent(print.id),
    onSuccess: (agreed) => client.setQueryData(askedPrintQuery(print.id).queryKey, agreed),
  })
  return (
    <Panel title={t('focused.consentTitle')}>
      <div className={styles.words}>
        <p>{t('focused.intro')}</p>
        <p>
          {t('focused.estimate', { count, time: duration(count * SECONDS_A_PICTURE) })} {t('focused.reward')}{' '}
          {hoursNote}
        </p>
        <Checkbox
          checked={isAgreed}
          onChange={(event) => setAgreed(event.currentTarget.checked)}
          label={t('focused.consent')}
          description={t('focused.consentHint')}
        />
        {starting.error && (
          <p role="alert" className={styles.problem}>
            {problemText(problemOf(starting.error))}
          </p>
        )}
        <div className={styles.start}>
          <Button
            variant="filled"
            disabled={!isAgreed}
            loading={starting.isPending}
            onClick={() => starting.mutate()}
          >
            {t('focused.start')}
          </Button>
        </div>
      </div>
    </Panel>
  )
}
