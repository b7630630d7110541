import { Button } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers.ts'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useDriver } from '../driver/useDriver.ts'
import styles from './Controls.module.css'
import { OFFSET_STEPS, offsetText } from './rules.ts'
import { Steps, useStep } from './Steps.tsx'

/** Moves the nozzle a hair off or towards the bed, and tells how far it is off by now. */
export function BabyStepPanel({ printer }: { printer: Printer }) {
  const { t } = useTranslation('controls')
  const { driver, run } = useDriver(printer)
  const [step, setStep] = useStep('z-offset', printer.id, OFFSET_STEPS, '0.01')
  const [offset, setOffset] = useState<number | null>(null)

  const readBack = useCallback(async () => {
    if (!driver.offset) return
    const outcome = await run(driver.offset.query(), { quiet: true })
    if (outcome.done) setOffset(driver.offset.read(outcome.ret))
  }, [driver, run])

  useEffect(() => void readBack(), [readBack])

  async function move(sign: 1 | -1) {
    const { done } = await run(driver.babyStep(sign * Number(step)), { tell: driver.offset === null })
    if (done) await readBack()
  }

  return (
    <div className={styles.stack}>
      <div className={styles.spread}>
        <Steps steps={OFFSET_STEPS} value={step} onChange={setStep} />
        {driver.offset && (
          <p className={styles.reading} role="status">
            <span className={styles.label}>{t('babyStep.offset')}</span>
            <strong>{offset === null ? '–' : `${offsetText(offset)} mm`}</strong>
          </p>
        )}
      </div>
      <div className={styles.row}>
        <Button leftSection={<IconArrowUp size={16} stroke={1.75} />} onClick={() => void move(1)}>
          {t('babyStep.up')}
        </Button>
        <Button leftSection={<IconArrowDown size={16} stroke={1.75} />} onClick={() => void move(-1)}>
          {t('babyStep.down')}
        </Button>
      </div>
      <p className={styles.hint}>{t('babyStep.hint')}</p>
    </div>
  )
}
