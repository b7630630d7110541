import { ActionIcon, Button } from '@mantine/core'
import { IconThumbDown, IconThumbUp } from '@tabler/icons-react'
import type { Print } from '@vigil/contract/prints/prints.ts'
import { useTranslation } from '../lib/translation.ts'
import { type Thumb, thumbOf, type Verdict, verdictOf } from '../lib/thumbs.ts'
import shared from './shared.module.css'

interface ThumbsProps {
  print: Pick<Print, 'alerted_at' | 'alert_overwrite'>
  /** Told what the print is then said to be; the same thumb again says it again. */
  onAnswer: (verdict: Verdict) => void
  /** The answer is under way. */
  busy?: boolean
  /** Two signs without words, for a card. */
  small?: boolean
}

const SIGNS = { up: IconThumbUp, down: IconThumbDown }
const THUMBS: readonly Thumb[] = ['up', 'down']

/** Was the detector right about this print? What was answered stays marked and can be changed. @public */
export function Thumbs({ print, onAnswer, busy = false, small = false }: ThumbsProps) {
  const { t } = useTranslation('feedback')
  const given = thumbOf(print)
  const words = (thumb: Thumb) => t(`thumbs.${thumb}.${verdictOf(thumb, print)}`)
  return (
    <div className={shared.buttons} role="group" aria-label={t('thumbs.question')}>
      {THUMBS.map((thumb) => {
        const Sign = SIGNS[thumb]
        const shared = {
          'aria-pressed': given === thumb,
          disabled: busy,
          onClick: () => onAnswer(verdictOf(thumb, print)),
          ...(given === thumb ? { variant: 'light', color: 'accent' } : {}),
        }
        return small ? (
          <ActionIcon key={thumb} size={36} aria-label={words(thumb)} title={words(thumb)} {...shared}>
            <Sign size={18} stroke={1.75} />
          </ActionIcon>
        ) : (
          <Button key={thumb} leftSection={<Sign size={16} stroke={1.75} />} {...shared}>
            {words(thumb)}
          </Button>
        )
      })}
    </div>
  )
}
