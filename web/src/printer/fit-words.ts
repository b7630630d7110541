import type { Fit, FitReason } from '@vigil/contract/files/machines.ts'
import { useTranslation } from '../lib/translation.ts'

/** What there is to say of a file on a printer: a sentence for each thing that does not go together, one for all that is not known of either. */
export function useFitWords(): (fit: Fit) => string[] {
  const { t, i18n } = useTranslation('machines')
  const place = (word: string | null) =>
    word === 'centre' || word === 'corner' ? t(`place.${word}`) : (word ?? '')
  const sentence = ({ about, file, printer }: FitReason) =>
    t(`warns.${about}`, { file: place(file), printer: place(printer) })
  const list = (all: readonly string[]) =>
    new Intl.ListFormat(i18n.language, { type: 'conjunction' }).format(all)
  return ({ reasons }) => {
    const unknown = reasons.filter(({ verdict }) => verdict === 'unknown')
    const ofPrinter = unknown.flatMap(({ about, file }) => (file === null ? [] : [t(`about.${about}`)]))
    const ofFile = unknown.flatMap(({ about, file }) =>
      file === null && (about === 'bed' || about === 'height') ? [t(`aboutFile.${about}`)] : [],
    )
    return [
      ...reasons.filter(({ verdict }) => verdict === 'warns').map(sentence),
      ...(ofPrinter.length > 0 ? [t('notKnown', { list: list(ofPrinter) })] : []),
      ...(ofFile.length > 0 ? [t('fileNotKnown', { list: list(ofFile) })] : []),
    ]
  }
}
