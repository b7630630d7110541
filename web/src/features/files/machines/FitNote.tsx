import { Stack } from '@mantine/core'
import type { Fit } from '@vigil/contract/files/machines.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { useFitWords } from '../../../printer/fit-words.ts'
import { StatusMark } from '../../../ui/StatusMark.tsx'
import shared from '../../../ui/shared.module.css'
import styles from './Machines.module.css'

const MARKS = {
  fits: { shape: 'dot', tone: 'good' },
  warns: { shape: 'triangle', tone: 'warn' },
  unknown: { shape: 'hollow', tone: 'quiet' },
} as const

/** Whether a printer can print a file: the verdict, and what does not go together or is not known of it. */
export function FitNote({ fit }: { fit: Fit }) {
  const { t } = useTranslation('machines')
  const words = useFitWords()(fit)
  return (
    <Stack gap={2}>
      <p className={styles.verdict} data-verdict={fit.verdict}>
        <StatusMark {...MARKS[fit.verdict]} />
        {t(`verdict.${fit.verdict}`)}
      </p>
      {words.map((word) => (
        <p key={word} className={shared.small}>
          {word}
        </p>
      ))}
    </Stack>
  )
}
