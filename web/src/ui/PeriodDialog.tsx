import { Box, Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from '../lib/translation.ts'
import { type Days, dayOf, faultOf } from '../lib/periods.ts'
import { Dialog, DialogButtons } from './Dialog.tsx'
import styles from './PeriodDialog.module.css'

interface PeriodDialogProps {
  /** Chosen before; either day may be missing. */
  initial: Partial<Days>
  /** At least one day; '' for one that is left open. */
  onChoose: (days: Days) => void
  onClose: () => void
}

const FIELDS = ['from', 'to'] as const

/** Asks for a first and a last day; one of them is enough. */
export function PeriodDialog({ initial, onChoose, onClose }: PeriodDialogProps) {
  const { t } = useTranslation('history')
  const [days, setDays] = useState<Days>({ from: initial.from ?? '', to: initial.to ?? '' })
  const [tried, setTried] = useState(false)
  const fault = tried ? faultOf(days) : null

  function choose(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (faultOf(days) === null) onChoose(days)
  }

  return (
    <Dialog title={t('period.title')} onClose={onClose}>
      <form onSubmit={choose} noValidate>
        <div className={styles.days}>
          {FIELDS.map((field) => (
            <TextInput
              key={field}
              type="date"
              label={t(`period.${field}`)}
              description={t(`period.${field}Empty`)}
              value={days[field]}
              max={dayOf(new Date())}
              aria-invalid={fault !== null}
              data-error={fault !== null || undefined}
              onChange={({ currentTarget: { value } }) => setDays((held) => ({ ...held, [field]: value }))}
            />
          ))}
        </div>
        {fault && (
          <Box component="p" role="alert" mt={10} c="var(--v-bad)" fz={13}>
            {t(`period.${fault}`)}
          </Box>
        )}
        <DialogButtons>
          <Button onClick={onClose}>{t('period.cancel')}</Button>
          <Button type="submit" variant="filled">
            {t('period.apply')}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
