import { Loader } from '@mantine/core'
import type { Print } from '@vigil/contract/prints/prints.ts'
import type { Timelapse } from '@vigil/contract/prints/timelapse.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Bar } from '../../../ui/Bar.tsx'
import { problemOf } from '../../../lib/errors.ts'
import { ms } from '../../../lib/format.ts'
import { lazily } from '../../../ui/lazily.tsx'
import { Failed } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import { analysisQuery, uploadsKey, uploadsQuery } from './uploads.api.ts'
import styles from './Uploads.module.css'

const AnalysisPlayer = lazily(async () => (await import('./AnalysisPlayer.tsx')).AnalysisPlayer)

/** The films that were uploaded, newest first, and what the detector says of each. */
export function Analyses() {
  const { t } = useTranslation('uploads')
  const { data, error, refetch } = useQuery(uploadsQuery)
  if (!data && error)
    return <Failed title={t('failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
  return (
    <section className={styles.analyses} aria-labelledby="analyses">
      <h2 id="analyses" className={styles.heading}>
        {t('analyses')}
      </h2>
      {!data && <Loader size={28} role="img" aria-label={t('loading')} />}
      {data?.length === 0 && <p className={styles.soft}>{t('none')}</p>}
      {data?.map((print) => (
        <Analysis key={print.id} print={print} />
      ))}
    </section>
  )
}

function Analysis({ print }: { print: Print }) {
  const { moment } = useTimeText()
  const client = useQueryClient()
  const { data } = useQuery(analysisQuery(print.id))
  const state = data?.state
  const isStale = state === 'ready' && print.video_url === null
  useEffect(() => {
    if (isStale) void client.invalidateQueries({ queryKey: uploadsKey })
  }, [client, isStale])
  const at = ms(print.uploaded_at)
  return (
    <Panel title={print.filename} aside={at !== null && moment(at)}>
      <div className={styles.analysis}>
        {data && <State timelapse={data} />}
        {print.video_url !== null && <AnalysisPlayer print={print} />}
      </div>
    </Panel>
  )
}

function State({ timelapse }: { timelapse: Timelapse }) {
  const { t } = useTranslation('uploads')
  const { state, progress, issues, refusal } = timelapse
  if (state === 'ready')
    return (
      <p className={issues > 0 ? styles.issues : styles.soft}>
        {issues > 0 ? t('issues', { count: issues }) : t('noIssues')}
      </p>
    )
  if (refusal !== null) return <p className={styles.bad}>{t(`refusal.${refusal}`)}</p>
  if (state === 'waiting' || state === 'working')
    return (
      <>
        <p role="status">{t('running')}</p>
        <Bar value={progress * 100} animated aria-label={t('progress')} />
      </>
    )
  return (
    <p className={styles.soft}>
      {t(state === 'no_ffmpeg' || state === 'archived' ? `state.${state}` : 'state.failed')}
    </p>
  )
}
