import { Button, SegmentedControl } from '@mantine/core'
import { type Job, JOB_STATES } from '@vigil/contract/people/operations.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { problemOf } from '../../../lib/errors.ts'
import { ms } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { Failed, useProblemText } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import shared from '../../../ui/shared.module.css'
import { useTimeText } from '../../../ui/time.tsx'
import { AdminPage } from './AdminPage.tsx'
import styles from './Admin.module.css'
import { type JobsState, useJobs, useRetryJob } from './admin.api.ts'
import { OutboxPanel } from './OutboxPanel.tsx'
import { TestMailPanel } from './TestMailPanel.tsx'

/** `/admin/jobs/`: what waits, what failed and why, and how to try it again. */
export default function JobsScreen() {
  const { t } = useTranslation('admin')
  const [state, setState] = useState<JobsState>('open')
  const { data, error, refetch } = useJobs(state)
  return (
    <AdminPage title={t('sections.jobs')} isBusy={!data && !error}>
      <Panel title={t('jobs.title')}>
        <SegmentedControl
          aria-label={t('jobs.which')}
          value={state}
          data={JOB_STATES.map((value) => ({
            value,
            label: data ? `${t(`jobs.${value}`)} ${data.counts[value]}` : t(`jobs.${value}`),
          }))}
          onChange={(value) => setState(JOB_STATES.find((one) => one === value) ?? 'open')}
        />
        {error ? (
          <Failed title={t('failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
        ) : (
          <ul className={styles.list}>
            {data?.jobs.length === 0 && <li className={styles.none}>{t(`jobs.none.${state}`)}</li>}
            {data?.jobs.map((job) => (
              <JobRow key={job.id} job={job} />
            ))}
          </ul>
        )}
      </Panel>
      <OutboxPanel />
      <TestMailPanel />
    </AdminPage>
  )
}

function JobRow({ job }: { job: Job }) {
  const { t } = useTranslation('admin')
  const { moment } = useTimeText()
  const problemText = useProblemText()
  const retrying = useRetryJob()
  const { id, kind, state, tries, reason } = job
  const [made, next] = [ms(job.created_at), ms(job.next_at)]
  const facts = [
    t(`jobs.states.${state}`),
    made === null ? null : moment(made),
    tries > 0 ? t('jobs.tries', { count: tries }) : null,
    next === null ? null : t('jobs.next', { moment: moment(next) }),
  ]
  return (
    <li className={styles.item}>
      <div className={styles.words}>
        <span className={styles.name}>{kind}</span>
        <span className={styles.soft}>{facts.filter(Boolean).join(' · ')}</span>
        {reason !== null && <span className={shared.problem}>{reason}</span>}
        {retrying.error && (
          <span role="alert" className={shared.bad}>
            {problemText(problemOf(retrying.error))}
          </span>
        )}
      </div>
      {state !== 'running' && (
        <Button
          aria-label={t('jobs.retryOf', { kind })}
          loading={retrying.isPending}
          onClick={() => retrying.mutate(id, { onSuccess: () => toast(t('jobs.again'), 'done') })}
        >
          {t('jobs.retry')}
        </Button>
      )}
    </li>
  )
}
