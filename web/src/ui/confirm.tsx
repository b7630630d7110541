import { Button, Modal } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './confirm.module.css'

interface Choice {
  value: string
  label: string
  tone?: 'accent' | 'bad' | 'plain'
  /** Whoever asked puts the focus where it goes on, instead of back where it came from. */
  movesFocus?: boolean
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

/** A question is asked from dialogs too, and stands above them. */
const ABOVE_DIALOGS = 250

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

/** Stands once in the app and shows the questions, one at a time. */
export function ConfirmHost() {
  const { t } = useTranslation('common')
  const [asked, setAsked] = useState<Asked | null>(null)
  const [open, setOpen] = useState(false)
  const [returnFocus, setReturnFocus] = useState(true)

  useEffect(() => {
    show = (next) => {
      setAsked((current) => {
        current?.answer(null)
        return next
      })
      setOpen(true)
    }
    return () => {
      show = null
    }
  }, [])

  function close(choice: Choice | null) {
    setReturnFocus(!choice?.movesFocus)
    asked?.answer(choice?.value ?? null)
    setOpen(false)
  }

  // Heard before the dialogs' own listeners, as this host stands from the start: one Escape is one step back.
  useWindowEvent(
    'keydown',
    (event) => {
      if (!open || event.key !== 'Escape' || event.isComposing) return
      event.stopImmediatePropagation()
      close(null)
    },
    { capture: true },
  )

  return (
    <Modal
      opened={open}
      onClose={() => close(null)}
      closeOnEscape={false}
      title={asked?.title}
      withCloseButton={false}
      returnFocus={returnFocus}
      zIndex={ABOVE_DIALOGS}
    >
      {asked?.text && <div>{asked.text}</div>}
      <div className={styles.buttons}>
        <Button onClick={() => close(null)}>{asked?.dismiss ?? t('back')}</Button>
        {asked?.choices.map((choice, at) => (
          <Button
            key={choice.value}
            {...(choice.tone === 'plain' ? {} : { variant: 'filled', color: choice.tone ?? 'accent' })}
            data-autofocus={at === 0 && choice.tone !== 'bad' ? true : undefined}
            onClick={() => close(choice)}
          >
            {choice.label}
          </Button>
        ))}
      </div>
    </Modal>
  )
}
