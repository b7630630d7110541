import { Box, Button, Flex } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { withUnit } from '../../../lib/format.ts'
import type { Driver } from '../../../printer/driver/driver.ts'
import { useDriver } from '../../../printer/driver/useDriver.ts'
import shared from '../../../ui/shared.module.css'
import styles from './Toolhead.module.css'
import { OFFSET_STEPS, offsetText } from './rules.ts'
import { Steps, useStep } from './Steps.tsx'

type BabyStep = NonNullable<Driver['babyStep']>

/** While the printer has not answered a step, what is told of the offset is read this often. */
const READ_EVERY_MS = 500

/** How far the nozzle is off, as the printer tells it, and a way to nudge it. */
function useOffset(printer: Printer, babyStep: BabyStep) {
  const { run } = useDriver(printer)
  const [offset, setOffset] = useState<number | null>(null)
  const asked = useRef(0)
  const answered = useRef(0)
  const timers = useRef(new Set<ReturnType<typeof setInterval>>())

  const readBack = useCallback(async () => {
    const number = ++asked.current
    const outcome = await run(babyStep.offset(), { quiet: true })
    // An answer that a later one has overtaken is of yesterday.
    if (outcome.done && number > answered.current) setOffset(babyStep.read(outcome.ret))
    answered.current = Math.max(answered.current, number)
  }, [babyStep, run])

  useEffect(() => {
    const running = timers.current
    void readBack()
    return () => running.forEach(clearInterval)
  }, [readBack])

  async function nudge(mm: number) {
    // A printer that is busy answers a step late, though it has done it.
    const timer = setInterval(() => {
      if (answered.current === asked.current) void readBack()
    }, READ_EVERY_MS)
    timers.current.add(timer)
    const { done } = await run(babyStep.move(mm))
    clearInterval(timer)
    timers.current.delete(timer)
    if (done) await readBack()
  }

  return { offset, nudge }
}

interface BabyStepPanelProps {
  printer: Printer
  babyStep: BabyStep
}

/** Moves the nozzle a hair off or towards the bed, and tells how far it is off by now. */
export function BabyStepPanel({ printer, babyStep }: BabyStepPanelProps) {
  const { t } = useTranslation('toolhead')
  const [step, setStep] = useStep('z-offset', printer.id, OFFSET_STEPS, '0.01')
  const { offset, nudge } = useOffset(printer, babyStep)

  return (
    <div className={shared.fields}>
      <Flex wrap="wrap" align="flex-end" justify="space-between" gap="12px 20px">
        <Steps steps={OFFSET_STEPS} value={step} onChange={setStep} />
        <p className={styles.reading} role="status">
          <Box component="span" fz={13} c="var(--v-faint)">
            {t('babyStep.offset')}
          </Box>
          <strong>{offset === null ? '–' : withUnit(offsetText(offset), 'mm')}</strong>
        </p>
      </Flex>
      <div className={shared.buttons}>
        <Button
          leftSection={<IconArrowUp size={16} stroke={1.75} />}
          onClick={() => void nudge(Number(step))}
        >
          {t('babyStep.up')}
        </Button>
        <Button
          leftSection={<IconArrowDown size={16} stroke={1.75} />}
          onClick={() => void nudge(-Number(step))}
        >
          {t('babyStep.down')}
        </Button>
      </div>
      <p className={shared.small}>{t('babyStep.hint')}</p>
    </div>
  )
}
