import { Box, Button, FileButton, Loader, Stack } from '@mantine/core'
import { IconMovie } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Print } from '@vigil/contract/prints/prints.ts'
import type { Timelapse } from '@vigil/contract/prints/timelapse.ts'
import { type DragEvent, useState, useEffect } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { serverUrl } from '../../../lib/base.ts'
import { problemOf } from '../../../lib/errors.ts'
import { ms } from '../../../lib/format.ts'
import { useTitle } from '../../../lib/title.ts'
import { Bar } from '../../../ui/Bar.tsx'
import { lazily } from '../../../ui/lazily.tsx'
import { Failed } from '../../../ui/Notice.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import { FilmRow } from './FilmRow.tsx'
import { analysisQuery, uploadsKey, uploadsQuery } from './uploads.api.ts'
import styles from './Uploads.module.css'
import { useFilms } from './useFilms.ts'

const AnalysisPlayer = lazily(async () => (await import('./AnalysisPlayer.tsx')).AnalysisPlayer)

/** The films that were uploaded, newest first, and what the detector says of each. */
function Analyses() {
  const { t } = useTranslation('uploads')
  const { data, error, refetch } = useQuery(uploadsQuery)
  if (!data && error)
    return <Failed title={t('failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
  return (
    <Stack component="section" gap={16} aria-labelledby="analyses">
      <Box component="h2" id="analyses" fz={16} fw={600}>
        {t('analyses')}
      </Box>
      {!data && <Loader size={28} role="img" aria-label={t('loading')} />}
      {data?.length === 0 && <p className={styles.soft}>{t('none')}</p>}
      {data?.map((print) => (
        <Analysis key={print.id} print={print} />
      ))}
    </Stack>
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
  if (refusal !== null)
    return (
      <Box component="p" c="var(--mantine-color-error)" fz={14}>
        {t(`refusal.${refusal}`)}
      </Box>
    )
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

const ACCEPT = 'video/mp4,video/mpeg,.mp4,.mpg,.mpeg'

/** Films are dropped here, or chosen: several at once. */
function DropArea({ onFiles }: { onFiles: (files: File[]) => void }) {
  const { t } = useTranslation('uploads')
  const [isOver, setOver] = useState(false)
  const over = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    onFiles([...event.dataTransfer.files])
  }
  return (
    <div
      className={styles.drop}
      data-over={isOver || undefined}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <IconMovie size={32} stroke={1.5} aria-hidden />
      <Box component="p" fw={550}>
        {t('drop')}
      </Box>
      <FileButton multiple accept={ACCEPT} onChange={onFiles}>
        {(props) => (
          <Button variant="default" {...props}>
            {t('choose')}
          </Button>
        )}
      </FileButton>
      <p className={styles.soft}>{t('kinds')}</p>
    </div>
  )
}

/** Time-lapses that were made elsewhere are sent here, and analysed as if they had been watched. */
export default function FilmsScreen() {
  const { t } = useTranslation('uploads')
  const { films, choose, lasted, start, drop } = useFilms()
  useTitle(t('title'))
  const chosen = films.filter(({ progress }) => progress.kind === 'chosen')
  const isDone = films.some(({ progress }) => progress.kind === 'done')
  return (
    <>
      <PageHeader title={t('title')} note={t('lead')} />
      <Stack gap={24} maw={1100}>
        <Panel label={t('title')}>
          <div className={styles.send}>
            <DropArea onFiles={choose} />
            {films.map((film) => (
              <FilmRow
                key={film.id}
                film={film}
                onLasted={(seconds) => lasted(film.id, seconds)}
                onStart={() => void start(film)}
                onDrop={() => drop(film.id)}
              />
            ))}
            {chosen.length > 0 && (
              <Button
                variant="filled"
                className={styles.start}
                onClick={() => chosen.forEach((film) => void start(film))}
              >
                {t('start', { count: chosen.length })}
              </Button>
            )}
            {isDone && (
              <Box component="p" fw={550} role="status">
                {t('running')} <a href={serverUrl('/prints/')}>{t('toPrints')}</a>
              </Box>
            )}
          </div>
        </Panel>
        <Analyses />
      </Stack>
    </>
  )
}
