import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { useQueryValues } from '../../../lib/address.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { useTitle } from '../../../lib/title.ts'
import { NotLoaded } from '../../../ui/NotLoaded.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { Answered } from './Answered.tsx'
import styles from './Feedback.module.css'
import { FirstLayerPanel } from './FirstLayerPanel.tsx'
import { surveyQuery } from './feedback.api.ts'
import { SurveyCarousel } from './SurveyCarousel.tsx'

/** The pictures of a print's first layer, for its owner to say what they show. The print stands in the query. */
export default function SurveyScreen() {
  const { t } = useTranslation('feedback')
  const printId = Number(useQueryValues()['print_id'])
  const isPrint = Number.isInteger(printId) && printId > 0
  const { data, error, isPending, refetch } = useQuery({ ...surveyQuery(printId), enabled: isPrint })
  const [earned, setEarned] = useState<number | null>(null)
  useTitle(t('survey.title'))
  if (!isPrint) return <Notice whole title={t('noPrint')} />
  if (error)
    return <NotLoaded title={t('failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
  return (
    <div className={styles.page} aria-busy={isPending}>
      <PageHeader back={{ to: paths.print(printId), label: t('backToPrint') }} title={t('survey.title')} />
      {data === undefined && (
        <Panel>
          <Skeleton height={520} />
        </Panel>
      )}
      {data !== undefined && !data?.images.length && (
        <Notice
          title={t('survey.none')}
          actions={
            <Button component={Link} to={paths.print(printId)}>
              {t('toPrint')}
            </Button>
          }
        >
          {t('survey.noneText')}
        </Notice>
      )}
      {data && data.images.length > 0 && earned === null && (
        <SurveyCarousel printId={printId} images={data.images} onDone={setEarned} />
      )}
      {earned !== null && (
        <Answered
          title={t('survey.done')}
          earned={earned > 0 ? t('survey.earned') : null}
          text={t('survey.close')}
          printId={printId}
          onChange={() => setEarned(null)}
        />
      )}
      {earned !== null && data && <FirstLayerPanel print={{ firstlayerinspection_set: [data] }} />}
    </div>
  )
}
