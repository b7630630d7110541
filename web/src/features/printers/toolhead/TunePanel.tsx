import { Button, NumberInput } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { percent } from '../../../lib/format.ts'
import { useDriver } from '../../../printer/driver/useDriver.ts'
import styles from './Toolhead.module.css'
import { isTuneValid, type Tune, tuned, TUNES } from './rules.ts'

/** Fan, speed and flow, each as a percentage of its own. */
export function TunePanel({ printer }: { printer: Printer }) {
  return (
    <div className={styles.tunes}>
      {TUNES.map((tune) => (
        <TuneRow key={tune} printer={printer} tune={tune} />
      ))}
    </div>
  )
}

function TuneRow({ printer, tune }: { printer: Printer; tune: Tune }) {
  const { t } = useTranslation('toolhead')
  const { driver, run } = useDriver(printer)
  const now = tuned(printer, tune)
  const [draft, setDraft] = useState<number | string | null>(null)
  const [busy, setBusy] = useState(false)
  // Factors start at 100; of a fan that is not reported nothing is claimed.
  const value = draft ?? now ?? (tune === 'fan' ? '' : 100)
  const valid = isTuneValid(tune, value)

  async function apply() {
    if (!valid) return
    setBusy(true)
    await run(driver[tune](value), { tell: true })
    setBusy(false)
  }

  return (
    <form
      className={styles.tune}
      onSubmit={(event) => {
        event.preventDefault()
        void apply()
      }}
    >
      <span className={styles.tuneName}>
        {t(`tune.${tune}`)}
        {now !== null && <small>{t('tune.now', { percent: percentText(now) })}</small>}
      </span>
      <NumberInput
        className={styles.tuneValue}
        aria-label={t(`tune.${tune}`)}
        suffix=" %"
        min={tune === 'fan' ? 0 : 1}
        {...(tune === 'fan' ? { max: 100 } : {})}
        step={5}
        clampBehavior="none"
        allowDecimal={false}
        allowNegative={false}
        value={value}
        onChange={setDraft}
        placeholder="–"
        error={valid || draft === null ? undefined : t(tune === 'fan' ? 'tune.fanRange' : 'tune.factorRange')}
      />
      <Button
        type="submit"
        disabled={!valid}
        loading={busy}
        aria-label={t('tune.applyTo', { name: t(`tune.${tune}`) })}
      >
        {t('tune.apply')}
      </Button>
    </form>
  )
}

/** Factors may be above 100, which a share never is. */
function percentText(value: number): string {
  return value <= 100 ? percent(value) : `${value}\u202f%`
}
