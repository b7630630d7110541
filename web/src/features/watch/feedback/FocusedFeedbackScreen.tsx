import { Button, Skeleton, Checkbox } from '@mantine/core'
import { useQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Print } from '@vigil/contract/prints/prints.ts'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { useId } from '../../../lib/address.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { useTitle } from '../../../lib/title.ts'
import { Notice, useProblemText } from '../../../ui/Notice.tsx'
import { NotLoaded } from '../../../ui/NotLoaded.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import { askedPrintQuery, consent } from './feedback.api.ts'
import shared from '../../../ui/shared.module.css'
import styles from './Feedback.module.css'
import { ShotCarousel } from './ShotCarousel.tsx'
import { useHoursNote } from './useHoursNote.ts'

/** How long one picture takes. */
const SECONDS_A_PICTURE = 12

/** Before the first picture: what it is for, how long it takes, what it earns, and leave to look at the print. */
function ConsentStep({ print }: { print: Print }) {
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
          <p role="alert" className={shared.problem}>
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

/** Pictures of a print, one by one, for its owner to say what they show. */
export default function FocusedFeedbackScreen() {
  const { t } = useTranslation('feedback')
  const id = useId()
  const { data: print, error, isPending, refetch } = useQuery({ ...askedPrintQuery(id), enabled: id > 0 })
  useTitle(t('focused.title'))
  if (print) return <Feedback print={print} />
  if (id > 0 && isPending)
    return (
      <div className={styles.page} aria-busy="true">
        <PageHeader title={t('focused.title')} />
        <Panel>
          <Skeleton height={420} />
        </Panel>
      </div>
    )
  if (!(id > 0) || problemOf(error).kind === 'missing') return <Notice whole title={t('noPrint')} />
  return <NotLoaded title={t('failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
}

function Feedback({ print }: { print: Print }) {
  const { t } = useTranslation('feedback')
  const header = (
    <PageHeader
      back={{ to: paths.print(print.id), label: t('backToPrint') }}
      title={t('focused.title')}
      note={print.filename}
    />
  )
  if (print.printshotfeedback_set.length === 0)
    return (
      <div className={styles.page}>
        {header}
        <Notice
          title={t('focused.none')}
          actions={
            <Button component={Link} to={paths.print(print.id)}>
              {t('toPrint')}
            </Button>
          }
        >
          {t('focused.noneText')}
        </Notice>
      </div>
    )
  return (
    <div className={styles.page}>
      {header}
      {print.access_consented_at === null ? <ConsentStep print={print} /> : <ShotCarousel print={print} />}
    </div>
  )
}
