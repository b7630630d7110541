import { Button, Stack } from '@mantine/core'
import { IconArchive, IconMovieOff, IconTrash } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Print } from '@vigil/contract/prints/prints.ts'
import type { Timelapse } from '@vigil/contract/prints/timelapse.ts'
import { type ReactNode, type RefObject, useMemo } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { Bar } from '../../../ui/Bar.tsx'
import { ms } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { useUser } from '../../../lib/session.ts'
import { useSupport } from '../../../lib/usePlaces.ts'
import { type Mark, Player, type PlayerHandle } from '../../../player/index.ts'
import { ask } from '../../../ui/confirm.tsx'
import { Failed, Notice } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { PlaceLink } from '../../../ui/PlaceLink.tsx'
import { lapseOf } from './lapse.rules.ts'
import type { Playhead } from './playhead.ts'
import styles from './PrintPage.module.css'
import type { Figures } from './useFigures.ts'

interface LapseProps {
  print: Print
  figures: Figures
  playhead: Playhead
  handle: RefObject<PlayerHandle | null>
}

/** The time-lapse: played, being made, or why there is none. */
export function Lapse({ print, figures, playhead, handle }: LapseProps) {
  const { t } = useTranslation('print-page')
  const { timelapse, frames, predictions, turn } = figures
  const shown = lapseOf(print, timelapse, frames?.length ?? 0)
  const marks = useMarks(print, figures.times)
  if (shown === 'loading' && figures.problem)
    return (
      <Panel title={t('lapse.title')}>
        <Failed title={t('lapse.unknown')} problem={figures.problem} onRetry={figures.retry} />
      </Panel>
    )
  if (shown !== 'video' && shown !== 'frames')
    return <Instead print={print} what={shown} timelapse={timelapse} />
  return (
    <>
      <Player
        name={print.filename}
        title={t('lapse.title')}
        videoUrl={shown === 'video' ? print.video_url : null}
        taggedVideoUrl={shown === 'video' ? print.tagged_video_url : null}
        posterUrl={print.poster_url}
        {...(predictions && { predictions })}
        {...(frames && { frames })}
        {...(turn && {
          turn: { flipH: turn.flip_h, flipV: turn.flip_v, rotation: turn.rotation },
        })}
        detective={<Working print={print} timelapse={timelapse} />}
        marks={marks}
        opensAt={print.alerted_at === null ? 1 : marks[0]?.position}
        unseen={figures.unseen}
        withGauge={false}
        onPosition={playhead.set}
        handle={handle}
      />
      {shown === 'frames' && <FramesNote timelapse={timelapse} />}
    </>
  )
}

/** The alert, where it stands on the axis: at the picture that was taken then. */
function useMarks(print: Print, times: readonly number[]): Mark[] {
  const { t } = useTranslation('print-page')
  const at = ms(print.alerted_at)
  const label = t('lapse.alert')
  return useMemo(() => {
    if (at === null || times.length === 0) return []
    const index = times.findIndex((time) => time >= at)
    return [{ position: (index === -1 ? times.length - 1 : index) / times.length, label }]
  }, [at, times, label])
}

/** Stands in the place of the Detective view until there is one. */
function Working({ print, timelapse }: { print: Print; timelapse: Timelapse | undefined }) {
  const { t } = useTranslation('print-page')
  const isWorking = timelapse?.state === 'waiting' || timelapse?.state === 'working'
  if (print.tagged_video_url !== null) return null
  return (
    <div className={styles.working} role="status">
      <strong>{t(isWorking ? 'lapse.detectiveWorking' : 'lapse.detectiveNone')}</strong>
      {isWorking && <Bar value={(timelapse.progress || 0) * 100} aria-label={t('lapse.progress')} />}
    </div>
  )
}

/** The pictures are played because there is no video (yet). */
function FramesNote({ timelapse }: { timelapse: Timelapse | undefined }) {
  const { t } = useTranslation('print-page')
  const isWorking = timelapse?.state === 'waiting' || timelapse?.state === 'working'
  return (
    <Panel>
      <p className={styles.quiet}>{t(isWorking ? 'lapse.framesMeanwhile' : 'lapse.framesOnly')}</p>
      {isWorking && <Making timelapse={timelapse} />}
      {timelapse?.state === 'no_ffmpeg' && <p className={styles.quiet}>{t('lapse.no_ffmpeg.text')}</p>}
    </Panel>
  )
}

function Making({ timelapse }: { timelapse: Timelapse }) {
  const { t } = useTranslation('print-page')
  const percent = Math.floor(timelapse.progress * 100)
  return (
    <Stack gap={6} mt={14} fz={13} c="dimmed">
      <Bar value={percent} aria-label={t('lapse.progress')} />
      <span>{t('lapse.percent', { percent })}</span>
    </Stack>
  )
}

type What = Exclude<ReturnType<typeof lapseOf>, 'video' | 'frames'>

const ICONS: Partial<Record<What, ReactNode>> = {
  archived: <IconArchive size={40} stroke={1.25} />,
  deleted: <IconTrash size={40} stroke={1.25} />,
}

interface InsteadProps {
  print: Print
  what: What
  timelapse: Timelapse | undefined
}

/** What stands in the film's place. */
function Instead({ print, what, timelapse }: InsteadProps) {
  const { t } = useTranslation('print-page')
  if (what === 'loading') return <div className={styles.filmPlace} aria-busy="true" />
  return (
    <Panel title={t('lapse.title')}>
      <Notice
        picture={ICONS[what] ?? <IconMovieOff size={40} stroke={1.25} />}
        title={t(`lapse.${what}.title`)}
        actions={<InsteadAction print={print} what={what} />}
      >
        {what === 'failed' && timelapse?.refusal ? (
          <Refused why={timelapse.refusal} />
        ) : (
          t(`lapse.${what}.text`)
        )}
        {what === 'processing' && timelapse && <Making timelapse={timelapse} />}
      </Notice>
    </Panel>
  )
}

/** Why nothing could be made of a film that was uploaded. */
function Refused({ why }: { why: NonNullable<Timelapse['refusal']> }) {
  const { t } = useTranslation('uploads')
  return t(`refusal.${why}`)
}

function InsteadAction({ print, what }: { print: Print; what: What }) {
  const { t } = useTranslation('print-page')
  const printerId = print.printer?.id
  if (what === 'archived' || what === 'deleted') return <Why />
  if (printerId === undefined) return null
  if (what === 'running')
    return (
      <Button variant="filled" renderRoot={(props) => <Link {...props} to={paths.control(printerId)} />}>
        {t('lapse.watchLive')}
      </Button>
    )
  if (what === 'short')
    return (
      <Button renderRoot={(props) => <Link {...props} to={paths.printerSettings(printerId)} />}>
        {t('lapse.toSettings')}
      </Button>
    )
  return null
}

/** Why a video is gone, and what a subscriber can do so that the next one stays. */
function Why() {
  const { t } = useTranslation(['print-page', 'common'])
  const { is_pro: isPro } = useUser()
  const support = useSupport()
  const keep = isPro && (
    <> {support ? <PlaceLink place={support}>{t('lapse.why.keep')}</PlaceLink> : t('lapse.why.keep')}</>
  )
  const tell = () =>
    void ask({
      title: t('lapse.why.title'),
      text: (
        <p>
          {t('lapse.why.text')}
          {keep}
        </p>
      ),
      choices: [],
      dismiss: t('common:close'),
    })
  return <Button onClick={tell}>{t('lapse.why.action')}</Button>
}
