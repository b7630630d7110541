import { useWindowEvent } from '@mantine/hooks'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'

const load = () => import('./QuestionDialog.tsx')
const QuestionDialog = lazy(async () => ({ default: (await load()).QuestionDialog }))

interface Choice {
  value: string
  label: string
  tone?: 'accent' | 'bad' | 'plain'
}

export interface Question {
  title: string
  text?: ReactNode
  /** The buttons that act, most wanted first; a quiet way out is added. */
  choices: Choice[]
  /** The word of the quiet way out. */
  dismiss?: string
}

interface Asked extends Question {
  answer: (value: string | null) => void
}

let show: ((asked: Asked) => void) | null = null

/** Asks and waits: the chosen value, or null when dismissed. */
export function ask(question: Question): Promise<string | null> {
  return new Promise((answer) => {
    if (show) show({ ...question, answer })
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

/** Their dialog comes when the page has come: who has to stop a printer does not wait for it. */
const SOON_MS = 2_000

/** Stands once in the app and shows the questions, one at a time. */
export function ConfirmHost() {
  const [asked, setAsked] = useState<Asked | null>(null)

  useEffect(() => {
    const soon = setTimeout(() => void load().catch(() => {}), SOON_MS)
    show = (next) =>
      setAsked((current) => {
        current?.answer(null)
        return next
      })
    return () => {
      clearTimeout(soon)
      show = null
    }
  }, [])

  function close(value: string | null) {
    asked?.answer(value)
    setAsked(null)
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
  return (
    <Suspense fallback={null}>
      <QuestionDialog question={asked} onAnswer={close} />
    </Suspense>
  )
}
