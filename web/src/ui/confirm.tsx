import { Box, Button } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { useEffect, useState, useId, useRef } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from '../lib/translation.ts'
import { report } from '../lib/report.ts'
import { Boundary } from './Boundary.tsx'
import styles from './confirm.module.css'
import { DialogButtons } from './Dialog.tsx'
import type { Question } from './question.ts'
import { useFocusBack } from './useFocusBack.ts'

interface Asked extends Question {
  id: number
  answer: (value: string | null) => void
}

let show: ((asked: Asked) => void) | null = null
let questions = 0

/** Asks and waits: the chosen value, or null when dismissed. */
export function ask(question: Question): Promise<string | null> {
  return new Promise((answer) => {
    if (show) show({ ...question, answer, id: ++questions })
    else answer(null)
  })
}

/** Asks for one action; its button says what it does. */
export async function confirm(
  question: Omit<Question, 'choices'> & { action: string; tone?: 'accent' | 'bad' },
) {
  const { action, tone = 'accent', ...rest } = question
  return (await ask({ ...rest, choices: [{ value: 'yes', label: action, tone }] })) === 'yes'
}

/** Stands once in the app and shows the questions, one at a time. */
export function ConfirmHost() {
  const [asked, setAsked] = useState<Asked | null>(null)

  useEffect(() => {
    show = (next) =>
      setAsked((current) => {
        current?.answer(null)
        return next
      })
    return () => {
      show = null
    }
  }, [])

  function close(value: string | null) {
    // Gone first: whoever hears the answer may put the focus where the question let nobody go.
    flushSync(() => setAsked(null))
    asked?.answer(value)
  }

  // Heard before the dialogs' own listeners, as this host stands from the start: one Escape is one step back.
  useWindowEvent(
    'keydown',
    (event) => {
      if (!asked || event.key !== 'Escape' || event.isComposing) return
      event.stopImmediatePropagation()
      close(null)
    },
    { capture: true },
  )

  if (!asked) return null
  // A question that can't be shown was not asked; the next one is.
  return (
    <Boundary
      key={asked.id}
      instead={() => null}
      onBroken={(error) => {
        report(error)
        close(null)
      }}
    >
      <QuestionDialog question={asked} onAnswer={close} />
    </Boundary>
  )
}

interface QuestionDialogProps {
  question: Question
  onAnswer: (value: string | null) => void
}

/**
 * What is asked, and a button for each answer. The browser's own dialog: it stands above any other, and is small enough
 * to be loaded with the shell, so that a printer can be stopped, or that it can't be, said, whatever the line does.
 */
function QuestionDialog({ question, onAnswer }: QuestionDialogProps) {
  const { t } = useTranslation('common')
  const title = useId()
  const ref = useRef<HTMLDialogElement>(null)
  useFocusBack()
  useEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    dialog?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={ref}
      className={styles.dialog}
      aria-labelledby={title}
      onCancel={(event) => {
        event.preventDefault()
        onAnswer(null)
      }}
      onClick={(event) => event.target === event.currentTarget && onAnswer(null)}
    >
      <Box p="18px 20px 20px">
        <Box component="h2" id={title} mb={8} fz={16} fw={650} lh={1.45}>
          {question.title}
        </Box>
        {question.text && <div>{question.text}</div>}
        <DialogButtons>
          <Button onClick={() => onAnswer(null)}>{question.dismiss ?? t('back')}</Button>
          {question.choices.map(({ value, label, tone = 'accent' }, at) => (
            <Button
              key={value}
              {...(tone === 'plain' ? {} : { variant: 'filled', color: tone })}
              data-autofocus={at === 0 && tone !== 'bad' ? true : undefined}
              onClick={() => onAnswer(value)}
            >
              {label}
            </Button>
          ))}
        </DialogButtons>
      </Box>
    </dialog>
  )
}
