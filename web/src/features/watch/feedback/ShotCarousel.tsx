import { Button } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { SHOT_ANSWERS, type ShotAnswer } from '@vigil/contract/watch/feedback.ts'
import type { Print } from '@vigil/contract/prints/prints.ts'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { useShortcut } from '../../../lib/shortcuts.ts'
import { useProblemText } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { Answered } from './Answered.tsx'
import shared from '../../../ui/shared.module.css'
import styles from './Feedback.module.css'
import { answerShot, askedPrintQuery } from './feedback.api.ts'
import { Picture } from './Picture.tsx'
import { type DotState, Slides } from './Slides.tsx'

type Shot = Print['printshotfeedback_set'][number]

/** The place to go on to after an answer: the next one, then what is still open; null when nothing is. */
function nextPlace(shots: readonly Shot[], at: number): number | null {
  const open = shots.findIndex(({ answer }) => answer === null)
  if (open === -1) return null
  return at + 1 < shots.length ? at + 1 : open
}

/** The pictures of a print; what is answered is kept at once, and can be changed. */
export function ShotCarousel({ print }: { print: Print }) {
  const { t } = useTranslation('feedback')
  const problemText = useProblemText()
  const client = useQueryClient()
  const shots = print.printshotfeedback_set
  const isWhole = shots.every(({ answer }) => answer !== null)
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      shots.findIndex(({ answer }) => answer === null),
    ),
  )
  const [visited, setVisited] = useState<ReadonlySet<number>>(() => new Set([at]))
  const [isDone, setDone] = useState(isWhole)
  const [earned, setEarned] = useState(0)
  const shot = shots[at]

  function go(to: number) {
    setAt(to)
    setVisited((before) => new Set(before).add(to))
  }

  const answering = useMutation({
    mutationFn: ({ shotId, answer }: { shotId: number; answer: ShotAnswer }) =>
      answerShot(print.id, shotId, answer),
    onSuccess: ({ instance, credited_dhs }) => {
      const told = shots.map((one) => (one.id === instance.id ? instance : one))
      const needsMore = told.some((one) => one.answer === null)
      client.setQueryData(askedPrintQuery(print.id).queryKey, {
        ...print,
        printshotfeedback_set: told,
        need_print_shot_feedback: needsMore,
      })
      void client.invalidateQueries({ queryKey: ['print', print.id] })
      if (credited_dhs > 0) {
        setEarned(credited_dhs)
        void client.invalidateQueries({ queryKey: ['hours'] })
      }
      const next = nextPlace(told, at)
      if (next === null) setDone(true)
      else go(next)
    },
  })
  const say = (answer: ShotAnswer) => {
    if (shot && !answering.isPending) answering.mutate({ shotId: shot.id, answer })
  }
  useShortcut('sayBad', isDone ? null : () => say('LOOKS_BAD'))
  useShortcut('sayFine', isDone ? null : () => say('LOOKS_OK'))
  useShortcut('sayUnsure', isDone ? null : () => say('UNDECIDED'))

  if (isDone || !shot)
    return (
      <Answered
        title={t('focused.done')}
        earned={earned > 0 ? t('focused.earned') : null}
        text={t('focused.change')}
        printId={print.id}
        onChange={() => {
          setDone(false)
          go(0)
        }}
      />
    )

  const dots = shots.map((one, place): DotState => {
    if (one.answer !== null) return 'answered'
    return visited.has(place) ? 'visited' : 'open'
  })
  return (
    <Panel title={t('place', { number: at + 1, count: shots.length })} aside={t('focused.question')}>
      <Slides label={t('focused.title')} dots={dots} at={at} onGo={go}>
        <Picture key={shot.id} src={shot.image_url} alt={t('pictureAlt', { number: at + 1 })} />
        <div className={styles.answers} role="group" aria-label={t('focused.question')}>
          {SHOT_ANSWERS.map((answer) => (
            <Button
              key={answer}
              aria-pressed={shot.answer === answer}
              {...(shot.answer === answer ? { variant: 'light', leftSection: <IconCheck size={16} /> } : {})}
              loading={answering.isPending && answering.variables.answer === answer}
              disabled={answering.isPending}
              onClick={() => say(answer)}
            >
              {t(`focused.answer.${answer}`)}
            </Button>
          ))}
        </div>
        {answering.error && (
          <p role="alert" className={shared.problem}>
            {problemText(problemOf(answering.error))}
          </p>
        )}
      </Slides>
      <p className={styles.hint}>{t('focused.keys')}</p>
      {isWhole && (
        <div className={styles.foot}>
          <Button variant="filled" onClick={() => setDone(true)}>
            {t('finish')}
          </Button>
        </div>
      )}
    </Panel>
  )
}
