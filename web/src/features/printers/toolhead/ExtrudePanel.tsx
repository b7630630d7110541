import { Button, SegmentedControl } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { IconArrowBarDown, IconArrowBarUp } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { degrees } from '../../../lib/format.ts'
import { ask } from '../../../ui/confirm.tsx'
import { useDriver } from '../../../printer/driver/useDriver.ts'
import { readStatus } from '../../../printer/status.ts'
import { useWords } from '../../../printer/words.ts'
import styles from './Toolhead.module.css'
import { EXTRUDE_FEED, EXTRUDE_STEPS, HEAT_PRESET, hotends, isCold, MIN_EXTRUDE } from './rules.ts'
import { Steps, useStep } from './Steps.tsx'

/** Pushes filament out or pulls it back, never through a cold nozzle. */
export function ExtrudePanel({ printer }: { printer: Printer }) {
  const { t } = useTranslation('toolhead')
  const words = useWords()
  const { driver, run } = useDriver(printer)
  const [step, setStep] = useStep('extrude', printer.id, EXTRUDE_STEPS, '10')
  const tools = hotends(readStatus(printer)?.heaters ?? [])
  const [chosen, setChosen] = useState<string | null>(null)
  const hotend = tools.find(({ heater }) => heater.key === chosen) ?? tools[0]
  const min = degrees(MIN_EXTRUDE, 0)
  const preset = degrees(HEAT_PRESET, 0)

  async function extrude(sign: 1 | -1) {
    if (!isCold(hotend)) {
      await run(driver.extrude(sign * Number(step), tools.length > 1 ? (hotend?.tool ?? 0) : null), {
        tell: true,
      })
      return
    }
    const answer = await ask({
      title: t('extrude.coldTitle'),
      text: hotend
        ? t('extrude.coldText', { actual: degrees(hotend.heater.actual), min })
        : t('extrude.coldUnknown', { min }),
      choices: hotend ? [{ value: 'heat', label: t('extrude.heat', { degrees: preset }) }] : [],
    })
    if (answer === 'heat' && hotend)
      await run(driver.setTemperature(hotend.heater.key, HEAT_PRESET), { tell: true })
  }

  const heating = hotend && isCold(hotend) && (hotend.heater.target ?? 0) >= MIN_EXTRUDE
  return (
    <div className={styles.stack}>
      {tools.length > 1 && hotend && (
        <SegmentedControl
          aria-label={t('extrude.tool')}
          data={tools.map(({ heater }) => ({ value: heater.key, label: words.heater(heater) }))}
          value={hotend.heater.key}
          onChange={setChosen}
        />
      )}
      <div className={styles.spread}>
        <Steps steps={EXTRUDE_STEPS} value={step} onChange={setStep} />
        <div className={styles.row}>
          <Button leftSection={<IconArrowBarUp size={16} stroke={1.75} />} onClick={() => void extrude(-1)}>
            {t('extrude.retract')}
          </Button>
          <Button leftSection={<IconArrowBarDown size={16} stroke={1.75} />} onClick={() => void extrude(1)}>
            {t('extrude.extrude')}
          </Button>
        </div>
      </div>
      <p className={styles.hint} role={heating ? 'status' : undefined}>
        {hotend &&
          t('extrude.nozzle', { name: words.heater(hotend.heater), actual: degrees(hotend.heater.actual) })}
        {hotend && ' · '}
        {heating
          ? t('extrude.heating', { degrees: degrees(hotend.heater.target ?? 0, 0), min })
          : t('extrude.feed', { feed: EXTRUDE_FEED })}
      </p>
    </div>
  )
}
