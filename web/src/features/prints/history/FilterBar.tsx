import { Button, SegmentedControl, Text } from '@mantine/core'
import { IconArrowsSort, IconCalendar, IconChevronDown, IconPrinter, IconThumbUp } from '@tabler/icons-react'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { type ReactNode, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { type Period, PERIODS } from '../../../lib/periods.ts'
import { lazyMenu } from '../../../ui/lazy-menu.tsx'
import { lazyDialog } from '../../../ui/lazily.tsx'
import { FEEDBACK, type Filters, type Status, STATUSES, toggled } from './filters.ts'
import styles from './History.module.css'
import { useSpanText } from './useTexts.ts'

const ChoiceMenu = lazyMenu(async () => (await import('./ChoiceMenu.tsx')).ChoiceMenu)
const PeriodDialog = lazyDialog(async () => (await import('../../../ui/PeriodDialog.tsx')).PeriodDialog)

/** In the menu of printers: none in particular. */
const ALL = 'all'

interface FilterBarProps {
  filters: Filters
  onChange: (some: Partial<Filters>) => void
  printers: readonly Pick<Printer, 'id' | 'name'>[]
  /** How many each status would show. */
  counts?: Record<Status, number> | undefined
  /** Also by what was, or was not yet, answered. */
  withFeedback?: boolean
}

/** Which prints are shown. */
export function FilterBar({ filters, onChange, printers, counts, withFeedback = true }: FilterBarProps) {
  const { t } = useTranslation('history')
  const { status, feedback, printers: ids } = filters
  const only = ids.length === 1 && printers.find(({ id }) => id === ids[0])
  const ofPrinters = only
    ? only.name
    : t(ids.length > 0 ? 'printers.some' : 'printers.all', { count: ids.length })
  return (
    <div className={styles.filters}>
      <StatusChoice status={status} counts={counts} onChange={onChange} />
      <ChoiceMenu
        many
        chosen={ids.length > 0 ? ids.map(String) : [ALL]}
        choices={[
          { value: ALL, label: t('printers.all') },
          ...printers.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        onChoose={(value) => onChange({ printers: value === ALL ? [] : toggled(ids, Number(value)) })}
        button={filterButton(
          t('printers.label'),
          ofPrinters,
          <IconPrinter size={16} stroke={1.75} />,
          ids.length > 0,
        )}
      />
      <PeriodChoice filters={filters} onChange={onChange} />
      {withFeedback && (
        <ChoiceMenu
          chosen={[feedback]}
          choices={FEEDBACK.map((value) => ({ value, label: t(`feedback.${value}`) }))}
          onChoose={(value) => onChange({ feedback: FEEDBACK.find((each) => each === value) ?? 'none' })}
          button={filterButton(
            t('feedback.label'),
            t(`feedback.${feedback}`),
            <IconThumbUp size={16} stroke={1.75} />,
            feedback !== 'none',
          )}
        />
      )}
    </div>
  )
}

interface StatusChoiceProps extends Pick<FilterBarProps, 'counts' | 'onChange'> {
  status: Status
}

/** How it went, with how many prints each would show where that is known. */
function StatusChoice({ status, counts, onChange }: StatusChoiceProps) {
  const { t } = useTranslation('history')
  return (
    <SegmentedControl
      aria-label={t('status.label')}
      style={{ overflowX: 'auto', maxWidth: '100%' }}
      value={status}
      onChange={(value) => onChange({ status: value })}
      data={STATUSES.map((value) => ({
        value,
        label: (
          <>
            <span>{t(`status.${value}`)}</span>{' '}
            {counts && (
              <Text span inherit c="var(--v-soft)">
                {counts[value]}
              </Text>
            )}
          </>
        ),
      }))}
    />
  )
}

function PeriodChoice({ filters, onChange }: Pick<FilterBarProps, 'filters' | 'onChange'>) {
  const { t } = useTranslation('history')
  const spanText = useSpanText()
  const [asking, setAsking] = useState(false)
  const { period, custom } = filters
  const span = spanText(filters)
  const words = t(`period.${period}`)

  function choose(value: string) {
    if (value === 'custom') setAsking(true)
    else onChange({ period: PERIODS.find((each) => each === value) ?? 'none' })
  }

  return (
    <>
      <ChoiceMenu
        chosen={[period]}
        choices={PERIODS.map((value: Period) => ({ value, label: t(`period.${value}`) }))}
        onChoose={choose}
        button={filterButton(
          t('period.label'),
          period === 'custom' && span ? span : words,
          <IconCalendar size={16} stroke={1.75} />,
          period !== 'none',
        )}
      />
      {asking && (
        <PeriodDialog
          initial={custom}
          onClose={() => setAsking(false)}
          onChoose={(days) => {
            onChange({ period: 'custom', custom: days })
            setAsking(false)
          }}
        />
      )}
    </>
  )
}

/** A filter: what it is about for those who hear it, what it is set to for all. */
function filterButton(label: string, value: string, sign: ReactNode, isSet: boolean) {
  return (
    <Button
      aria-label={`${label}: ${value}`}
      title={label}
      className={styles.filter}
      data-set={isSet || undefined}
      leftSection={sign}
      rightSection={<IconChevronDown size={14} stroke={1.75} />}
    >
      {value}
    </Button>
  )
}

interface OrderButtonProps {
  /** Short of room: a sign instead of words. */
  narrow: boolean
  direction: 'asc' | 'desc'
  onDirection: (direction: 'asc' | 'desc') => void
}

/** In what order; one press turns it round. */
export function OrderButton({ narrow, direction, onDirection }: OrderButtonProps) {
  const { t } = useTranslation('history')
  const words = t(`sort.${direction}`)
  const label = `${t('sort.label')}: ${words}`
  return (
    <Button
      aria-label={label}
      title={label}
      className={narrow ? styles.square : undefined}
      leftSection={narrow ? undefined : <IconArrowsSort size={16} stroke={1.75} />}
      onClick={() => onDirection(direction === 'asc' ? 'desc' : 'asc')}
    >
      {narrow ? <IconArrowsSort size={18} stroke={1.75} aria-hidden /> : words}
    </Button>
  )
}
