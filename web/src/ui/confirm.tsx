import { useWindowEvent } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { report } from '../lib/report.ts'
import { Boundary } from './Boundary.tsx'
import type { Question } from './question.ts'
import { QuestionDialog } from './QuestionDialog.tsx'

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
