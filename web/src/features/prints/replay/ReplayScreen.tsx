import { Loader, Skeleton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { Replay } from '@vigil/contract/prints/replay.ts'
import { IconEyeOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePlace } from '../../../lib/address.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { useTitle } from '../../../lib/title.ts'
import { Failed, Notice } from '../../../ui/Notice.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { Curves } from './Curves.tsx'
import { PicturePanel } from './PicturePanel.tsx'
import styles from './Replay.module.css'
import { decidedQuery, replayQuery, runQuery, type Trial } from './replay.api.ts'
import { RunPanel } from './RunPanel.tsx'
import { SettingsPanel } from './SettingsPanel.tsx'
import { Verdicts } from './Verdicts.tsx'

/** What is tried is asked about once it stands still for so long. */
const SETTLED_MS = 200

/** A print judged again: the gauge as it was, and as it would be. */
export default function ReplayScreen() {
  const { t } = useTranslation('replay')
  const id = Number(usePlace('id'))
  const { data, error, refetch } = useQuery(replayQuery(id))
  useTitle(t('title'))
  return (
    <>
      <PageHeader title={t('title')} note={data?.filename} back={{ to: paths.print(id), label: t('back') }} />
      {!data && error && (
        <Failed title={t('failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
      )}
      {!data && !error && <Skeleton height={360} aria-busy="true" />}
      {data && data.was.looks === 0 && (
        <Notice title={t('never')} picture={<IconEyeOff size={40} stroke={1.25} />}>
          {t('neverText')}
        </Notice>
      )}
      {data && data.was.looks > 0 && <Lab key={data.print_id} replay={data} />}
    </>
  )
}

function Lab({ replay }: { replay: Replay }) {
  const { t } = useTranslation('replay')
  const { print_id: id, printer, was, seconds } = replay
  const [at, setAt] = useState(Math.max(0, was.warned ?? seconds / 2))
  const [trial, setTrial] = useState<Trial>({
    sensitivity: printer?.sensitivity ?? 1,
    zones: printer?.zones ?? [],
    withLearnt: printer?.has_learnt ?? false,
    over: 'scores',
  })
  const { data: run } = useQuery(runQuery(id))
  const hasRun = run?.state === 'done'
  const wanted: Trial = { ...trial, over: hasRun ? trial.over : 'scores' }
  const [settled] = useDebouncedValue(JSON.stringify(wanted), SETTLED_MS)
  const tried = JSON.parse(settled) as Trial
  const { data: now, error, isFetching, refetch } = useQuery(decidedQuery(id, tried, run?.done_at ?? null))
  const [seen] = useDebouncedValue(at, SETTLED_MS)
  const change = (part: Partial<Trial>) => setTrial((before) => ({ ...before, ...part }))
  return (
    <div className={styles.lab} data-bare={replay.frames === 0 || undefined}>
      <div className={styles.wide}>
        <Panel
          title={t('curves')}
          aside={isFetching && <Loader size={16} role="img" aria-label={t('deciding')} />}
        >
          <Curves was={was} now={now} seconds={seconds} at={at} onAt={setAt} />
          {error ? (
            <Failed title={t('notDecided')} problem={problemOf(error)} onRetry={() => void refetch()} />
          ) : (
            <Verdicts was={was} now={now} onAt={setAt} />
          )}
          <p className={styles.note}>
            {t(tried.over === 'run' ? 'overRun' : 'overScores', { looks: was.looks })}
          </p>
        </Panel>
      </div>
      {replay.frames > 0 && (
        <PicturePanel replay={replay} at={seen} zones={trial.zones} onZones={(zones) => change({ zones })} />
      )}
      <div className={styles.side}>
        <SettingsPanel replay={replay} trial={wanted} hasRun={hasRun} onTrial={change} />
        <RunPanel replay={replay} />
      </div>
    </div>
  )
}
