import { Button } from '@mantine/core'
import { useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Question } from './question.ts'
import styles from './confirm.module.css'
import { DialogButtons } from './DialogButtons.tsx'
import { useFocusBack } from './useFocusBack.ts'

interface QuestionDialogProps {
  question: Question
  onAnswer: (value: string | null) => void
}

/**
 * What is asked, and a button for each answer. The browser's own dialog: it stands above any other, and is small enough
 * to be loaded with the shell, so that a printer can be stopped, or that it can't be, said, whatever the line does.
 */
export function QuestionDialog({ question, onAnswer }: QuestionDialogProps) {
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
      <div className={styles.body}>
        <h2 id={title} className={styles.title}>
          {question.title}
        </h2>
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
      </div>
    </dialog>
  )
}
