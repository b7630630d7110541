import { type Job, JOB_STATES } from '@vigil/contract/people/operations.ts'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { Panel } from '../../../ui/Panel.tsx'
import shared from '../../../ui/shared.module.css'
import { AdminPage } from './AdminPage.tsx'
import { type JobsState, useJobs, useRetryJob } from './admin.api.ts'
import { OutboxPanel } from './OutboxPanel.tsx'
import { TestMailPanel } from './TestMailPanel.tsx'
import { Waiting, WaitingRow } from './Waiting.tsx'

/** `/admin/jobs/`: what waits, what failed and why, and how to try it again. */
export default function JobsScreen() {
  const { t } = useTranslation('admin')
  const [state, setState] = useState<JobsState>('open')
  const { data, error, refetch } = useJobs(state)
  return (
    <AdminPage title={t('sections.jobs')} isBusy={!data && !error}>
      <div className={shared.halves}>
        <Panel title={t('jobs.title')}>
          <Waiting
            label={t('jobs.which')}
            states={JOB_STATES}
            state={state}
            onState={setState}
            say={(one) => (data ? `${t(`jobs.${one}`)} ${data.counts[one]}` : t(`jobs.${one}`))}
            none={t(`jobs.none.${state}`)}
            error={error}
            onRetry={() => void refetch()}
            rows={data?.jobs.map((job) => (
              <JobRow key={job.id} job={job} />
            ))}
          />
        </Panel>
        <OutboxPanel />
      </div>
      <TestMailPanel />
    </AdminPage>
  )
}

function JobRow({ job }: { job: Job }) {
  const { t } = useTranslation('admin')
  const { id, kind, state } = job
  const again = { id, label: t('jobs.retryOf', { kind }), text: t('jobs.retry'), done: t('jobs.again') }
  return (
    <WaitingRow
      name={kind}
      stateText={t(`jobs.states.${state}`)}
      row={job}
      again={state === 'running' ? null : again}
      retrying={useRetryJob()}
    />
  )
}
