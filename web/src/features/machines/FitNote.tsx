import type { Fit, FitReason } from '@vigil/contract/machines.ts'
import { useTranslation } from 'react-i18next'
import { StatusMark } from '../../ui/StatusMark.tsx'
import styles from './Machines.module.css'

const MARKS = {
  fits: { shape: 'dot', tone: 'good' },
  warns: { shape: 'triangle', tone: 'warn' },
  unknown: { shape: 'hollow', tone: 'quiet' },
} as const

/** Whether a printer can print a file: the verdict, and what does not go together or is not known of it. */
export function FitNote({ fit }: { fit: Fit }) {
  const { t } = useTranslation('machines')
  const words = useReasons(fit)
  return (
    <div className={styles.fit}>
      <p className={styles.verdict} data-verdict={fit.verdict}>
        <StatusMark {...MARKS[fit.verdict]} />
        {t(`verdict.${fit.verdict}`)}
      </p>
      {words.map((word) => (
        <p key={word} className={styles.reason}>
          {word}
        </p>
      ))}
    </div>
  )
}

/** What there is to say: a sentence for each thing that does not go together, one for all that is not known. */
function useReasons({ verdict, reasons }: Fit): string[] {
  const { t, i18n } = useTranslation('machines')
  const place = (word: string | null) =>
    word === 'centre' || word === 'corner' ? t(`place.${word}`) : (word ?? '')
  const sentence = ({ about, file, printer }: FitReason) =>
    t(`warns.${about}`, { file: place(file), printer: place(printer) })
  const unknown = reasons
    .filter((reason) => reason.verdict === 'unknown')
    .map(({ about }) => t(`about.${about}`))
  const list = new Intl.ListFormat(i18n.language, { type: 'conjunction' }).format(unknown)
  return [
    ...reasons.filter((reason) => reason.verdict === 'warns').map(sentence),
    ...(unknown.length > 0 ? [t('notKnown', { list })] : []),
    ...(verdict === 'unknown' && reasons.length === 0 ? [t('fileSilent')] : []),
  ]
}
