import { IconChevronRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { ms } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import type { Verdict } from '../../../lib/thumbs.ts'
import { RowSelect } from '../../../ui/RowSelect.tsx'
import { Thumbs } from '../../../ui/Thumbs.tsx'
import styles from './History.module.css'
import type { Entry } from './listing.ts'
import { Poster } from './Poster.tsx'
import { Curve, Result, Told } from './Result.tsx'
import { usePrintText } from './useTexts.ts'

export interface EntryProps {
  entry: Entry
  selected: boolean
  /** The one that the address asks for. */
  meant: boolean
  onSelect: (id: number, on: boolean, range: boolean) => void
  onAnswer: (id: number, verdict: Verdict) => void
}

/** A print in one line. */
export const PrintRow = memo(function PrintRow({ entry, selected, meant, onSelect, onAnswer }: EntryProps) {
  const { t } = useTranslation('history')
  const text = usePrintText()
  const { print, index } = entry
  const at = ms(print.ended_at ?? print.uploaded_at)
  return (
    <article className={styles.row} data-selected={selected || undefined} data-meant={meant || undefined}>
      <Select entry={entry} selected={selected} onSelect={onSelect} />
      <Poster print={print} />
      <div className={styles.name}>
        <Link to={paths.print(print.id)} search={{ index: String(index) }}>
          {print.filename}
        </Link>
        <span>{print.printer?.name ?? t('row.uploaded')}</span>
      </div>
      <Result print={print} />
      <time
        className={styles.ended}
        dateTime={at === null ? undefined : new Date(at).toISOString()}
        title={at === null ? undefined : text.date(at)}
      >
        {at === null ? '' : text.when(at)}
      </time>
      <span className={styles.took}>{text.took(print) ?? '–'}</span>
      <span className={styles.used}>{text.used(print) ?? '–'}</span>
      <Curve print={print} />
      <Told print={print} />
      <span className={styles.thumbs}>
        {print.alerted_at !== null && print.alert_overwrite === null && (
          <Thumbs small print={print} onAnswer={(verdict) => onAnswer(print.id, verdict)} />
        )}
      </span>
      <IconChevronRight size={18} stroke={1.75} className={styles.chevron} aria-hidden />
    </article>
  )
})

/** The box that chooses a print; with shift, all from the one before. */
export function Select({
  entry: { print },
  selected,
  onSelect,
}: Pick<EntryProps, 'entry' | 'selected' | 'onSelect'>) {
  const { t } = useTranslation('history')
  return (
    <RowSelect
      label={t('select.one', { name: print.filename })}
      selected={selected}
      onSelect={(isOn, isRange) => onSelect(print.id, isOn, isRange)}
      className={styles.select}
    />
  )
}
