import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Question } from './confirm.tsx'
import styles from './confirm.module.css'
import { Dialog } from './Dialog.tsx'

/** A question is asked from dialogs too, and stands above them. */
const ABOVE_DIALOGS = 250

interface QuestionDialogProps {
  question: Question
  onAnswer: (value: string | null) => void
}

/** What is asked, and a button for each answer. */
export function QuestionDialog({ question, onAnswer }: QuestionDialogProps) {
  const { t } = useTranslation('common')
  return (
    <Dialog
      onClose={() => onAnswer(null)}
      closeOnEscape={false}
      title={question.title}
      withCloseButton={false}
      zIndex={ABOVE_DIALOGS}
    >
      {question.text && <div>{question.text}</div>}
      <div className={styles.buttons}>
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
      </div>
    </Dialog>
  )
}
