import { Alert, Button } from '@mantine/core'
import type { Replay, ReplayRun } from '@vigil/contract/prints/replay.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from '../../../lib/translation.ts'
import { Bar } from '../../../ui/Bar.tsx'
import { problemOf } from '../../../lib/errors.ts'
import { ms, percent } from '../../../lib/format.ts'
import { useProblemText } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import styles from './Replay.module.css'
import { isUnderWay, runQuery, start, stop } from './replay.api.ts'

/** Today's detector over the stored pictures: begun, followed, given up. */
export function RunPanel({ replay }: { replay: Replay }) {
  const { t } = useTranslation('replay')
  const { data: run } = useQuery(runQuery(replay.print_id))
  return (
    <Panel title={t('run.title')}>
      <p className={styles.lead}>
        {replay.frames > 0 ? t('run.lead', { model: replay.model }) : t('run.expired')}
      </p>
      {isUnderWay(run) && run && <Running run={run} />}
      {run?.state === 'done' && <Done run={run} />}
      {run?.state === 'failed' && (
        <Alert color="bad" role="alert" mt={10}>
          {t('run.failed')}
        </Alert>
      )}
      {run !== undefined && <Actions replay={replay} run={run} />}
    </Panel>
  )
}

function Running({ run }: { run: ReplayRun }) {
  const { t } = useTranslation('replay')
  const share = (run.looked / Math.max(1, run.frames)) * 100
  return (
    <div className={styles.running}>
      <Bar value={share} aria-label={t('run.progress')} />
      <p role="status">
        {run.state === 'waiting'
          ? t('run.waiting')
          : t('run.looked', { looked: run.looked, frames: run.frames, percent: percent(share) })}
      </p>
    </div>
  )
}

function Done({ run }: { run: ReplayRun }) {
  const { t } = useTranslation('replay')
  const { moment } = useTimeText()
  return (
    <p className={styles.done} role="status">
      {t('run.done', { count: run.looked, model: run.model ?? '–', when: moment(ms(run.done_at) ?? 0) })}
    </p>
  )
}

function Actions({ replay: { print_id: id, frames }, run }: { replay: Replay; run: ReplayRun | null }) {
  const { t } = useTranslation('replay')
  const client = useQueryClient()
  const problemText = useProblemText()
  const key = runQuery(id).queryKey
  const starting = useMutation({
    mutationFn: () => start(id),
    onSuccess: (begun) => client.setQueryData(key, begun),
  })
  const stopping = useMutation({
    mutationFn: () => stop(id),
    onSuccess: () => client.setQueryData(key, null),
  })
  const error = starting.error ?? stopping.error
  return (
    <>
      {error && (
        <Alert color="bad" role="alert" mt={10}>
          {problemText(problemOf(error))}
        </Alert>
      )}
      <div className={styles.buttons}>
        {isUnderWay(run) ? (
          <Button loading={stopping.isPending} onClick={() => stopping.mutate()}>
            {t('run.stop')}
          </Button>
        ) : (
          frames > 0 && (
            <Button loading={starting.isPending} onClick={() => starting.mutate()}>
              {run ? t('run.again') : t('run.start', { count: frames })}
            </Button>
          )
        )}
      </div>
    </>
  )
}
