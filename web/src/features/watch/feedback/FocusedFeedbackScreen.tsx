import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Print } from '@vigil/contract/prints/prints.ts'
import { useTranslation } from 'react-i18next'
import { useId } from '../../../lib/address.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { useTitle } from '../../../lib/title.ts'
import { NotLoaded } from '../../../ui/NotLoaded.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { ConsentStep } from './ConsentStep.tsx'
import styles from './Feedback.module.css'
import { askedPrintQuery } from './feedback.api.ts'
import { ShotCarousel } from './ShotCarousel.tsx'

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
