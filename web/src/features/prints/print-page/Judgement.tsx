import { Button } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import type { Print } from '@vigil/contract/prints/prints.ts'
import { IconThumbDown, IconThumbUp } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { type Thumb, thumbOf, verdictOf } from '../../../lib/thumbs.ts'
import { toast } from '../../../lib/toast.ts'
import { gapAt, ScoreGauge } from '../../../player/index.ts'
import { useWatchedText } from '../../../printer/watched-share.ts'
import { watching } from '../../../printer/watching.ts'
import { useWords } from '../../../printer/words.ts'
import { Gauge } from '../../../ui/Gauge.tsx'
import { useProblemText } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { type Playhead, usePosition } from './playhead.ts'
import { isRunning, unseenOf } from './lapse.rules.ts'
import { judge, printKey } from './print-page.api.ts'
import styles from './PrintPage.module.css'
import type { Figures } from './useFigures.ts'

interface JudgementProps {
  print: Print
  printer: Printer | undefined
  figures: Figures
  playhead: Playhead
}

/** What Vigil made of it, and what its owner makes of that. */
export function Judgement({ print, printer, figures, playhead }: JudgementProps) {
  const { t } = useTranslation('print-page')
  const runs = isRunning(print)
  return (
    <Panel title={t(runs ? 'judge.now' : 'judge.title')} live={runs}>
      {runs ? (
        <Now print={print} printer={printer} />
      ) : (
        <Then print={print} figures={figures} playhead={playhead} />
      )}
      {!runs && <Thumbs print={print} />}
    </Panel>
  )
}

/** At the picture that is shown. */
function Then({ print, figures, playhead }: Pick<JudgementProps, 'print' | 'figures' | 'playhead'>) {
  const { t } = useTranslation('print-page')
  const watched = useWatchedText()
  const position = usePosition(playhead)
  const { scores, gaps, timelapse } = figures
  if (scores.some((score) => score !== null)) {
    const why = gapAt(gaps, scores.length, position)?.why ?? []
    return <ScoreGauge scores={scores} position={position} why={why} />
  }
  if (print.watched?.seconds === 0 && print.watched.unseen.length > 0)
    return <Off reason={t('judge.notWatchedWhy', { why: watched.why(print.watched) })} />
  return <Off reason={t(`judge.${unseenOf(timelapse?.state, scores.length)}`)} />
}

/** A print that runs: as its printer says, or why nobody looks. */
function Now({ print, printer }: Pick<JudgementProps, 'print' | 'printer'>) {
  const { t } = useTranslation('printers')
  const { t: tp } = useTranslation('print-page')
  const words = useWords()
  if (!printer || printer.current_print?.id !== print.id) return <Off reason={tp('judge.unknown')} />
  const now = watching(printer)
  if (now.kind === 'verdict')
    return (
      <div className={styles.gauge}>
        <Gauge
          value={now.value}
          label={t('detection.gauge', { verdict: t(`band.${now.band}`), value: Math.round(now.value * 100) })}
        />
        <strong>{t(`band.${now.band}`)}</strong>
      </div>
    )
  if (now.kind === 'off' || now.kind === 'blind') return <Off reason={words.reason(now.code, now.said)} />
  return <Off reason={now.kind === 'starting' ? t('detection.startingHint') : tp('judge.unknown')} />
}

/** The gauge rests, and what lies over it says why. */
function Off({ reason }: { reason: string }) {
  const { t } = useTranslation('printers')
  return (
    <div className={styles.off}>
      <Gauge value={null} label={t('detection.gaugeOff')} />
      <p>{reason}</p>
    </div>
  )
}

/** Up: it was right; down: it was wrong. */
function Thumbs({ print }: { print: Print }) {
  const { t } = useTranslation('print-page')
  const client = useQueryClient()
  const problemText = useProblemText()
  const given = thumbOf(print)
  const giving = useMutation({
    mutationFn: (thumb: Thumb) => judge(print.id, verdictOf(thumb, print)),
    onSuccess: (answer) => {
      client.setQueryData(printKey(print.id), answer)
      void client.invalidateQueries({ queryKey: ['prints'] })
    },
    onError: (error) => toast(problemText(problemOf(error)), 'failed'),
  })
  const label = (thumb: Thumb) =>
    t(verdictOf(thumb, print) === 'FAILED' ? `judge.${thumb}Failed` : `judge.${thumb}Fine`)
  return (
    <div className={styles.thumbs}>
      <span id="was-it-right">{t('judge.question')}</span>
      <div role="group" aria-labelledby="was-it-right">
        {(['up', 'down'] as const).map((thumb) => (
          <Button
            key={thumb}
            aria-pressed={given === thumb}
            variant={given === thumb ? 'light' : 'default'}
            disabled={giving.isPending}
            leftSection={
              thumb === 'up' ? (
                <IconThumbUp size={17} stroke={1.75} />
              ) : (
                <IconThumbDown size={17} stroke={1.75} />
              )
            }
            onClick={() => giving.mutate(thumb)}
          >
            {label(thumb)}
          </Button>
        ))}
      </div>
    </div>
  )
}
