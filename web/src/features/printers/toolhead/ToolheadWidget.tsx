import { Box, Button, Flex, NumberInput, SegmentedControl, Stack } from '@mantine/core'
import {
  type Icon,
  IconAdjustmentsHorizontal,
  IconArrowsMove,
  IconArrowsVertical,
  IconDroplet,
  IconPower,
  IconArrowBarDown,
  IconArrowBarUp,
} from '@tabler/icons-react'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useEffect, useId, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { degrees, percent } from '../../../lib/format.ts'
import { useDriver } from '../../../printer/driver/useDriver.ts'
import { readStatus } from '../../../printer/status.ts'
import { useWords } from '../../../printer/words.ts'
import { ask } from '../../../ui/confirm.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { BabyStepPanel } from './BabyStepPanel.tsx'
import { MovePanel } from './MovePanel.tsx'
import { PowerPanel } from './PowerPanel.tsx'
import {
  blocked,
  EXTRUDE_FEED,
  EXTRUDE_STEPS,
  HEAT_PRESET,
  hotends,
  isCold,
  MIN_EXTRUDE,
  isTuneValid,
  type Tune,
  tuned,
  TUNES,
} from './rules.ts'
import { Steps, useStep } from './Steps.tsx'
import shared from '../../../ui/shared.module.css'
import styles from './Toolhead.module.css'

type Menu = 'move' | 'extrude' | 'babyStep' | 'tune' | 'power'

const ICONS: Record<Menu, Icon> = {
  move: IconArrowsMove,
  extrude: IconDroplet,
  babyStep: IconArrowsVertical,
  tune: IconAdjustmentsHorizontal,
  power: IconPower,
}

/** Whatever lies over the page closes first. */
const COVERS = '[role="dialog"], [role="menu"], [role="listbox"]'

/** The printer's hands: one menu at a time, and ESC closes it. */
export function ToolheadWidget({ printer, transition }: { printer: Printer; transition: string | null }) {
  const { t } = useTranslation('toolhead')
  const id = useId()
  const { driver } = useDriver(printer)
  const off = blocked(readStatus(printer), transition, driver.extrudesWhilePaused)
  const [chosen, setChosen] = useState<Menu | null | undefined>(undefined)
  const isOff = (menu: Menu) =>
    (menu === 'move' && off.move !== null) || (menu === 'extrude' && off.extrude !== null)
  const wanted = chosen === undefined ? 'move' : chosen
  const open = wanted && !isOff(wanted) ? wanted : null
  const menus: Menu[] = [
    'move',
    'extrude',
    ...(driver.babyStep ? (['babyStep'] as const) : []),
    'tune',
    ...(driver.power ? (['power'] as const) : []),
  ]
  const isWantedOff = !!wanted && isOff(wanted)

  // A print that starts closes what may not be used; it stays closed when the print is over.
  useEffect(() => {
    if (isWantedOff) setChosen(null)
  }, [isWantedOff])

  useEffect(() => {
    if (!open) return undefined
    function onKey(event: KeyboardEvent) {
      if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector(COVERS))
        setChosen(null)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [open])

  return (
    <Panel title={t('title')}>
      <div className={styles.menus}>
        {menus.map((menu) => {
          const MenuIcon = ICONS[menu]
          return (
            <button
              key={menu}
              type="button"
              className={styles.menu}
              aria-expanded={open === menu}
              aria-controls={open === menu ? `${id}-${menu}` : undefined}
              aria-describedby={isOff(menu) ? `${id}-off` : undefined}
              disabled={isOff(menu)}
              onClick={() => setChosen(open === menu ? null : menu)}
            >
              <MenuIcon size={20} stroke={1.75} aria-hidden />
              {t(`menu.${menu}`)}
            </button>
          )
        })}
      </div>
      {off.move && (
        <Box component="p" id={`${id}-off`} mt={10} fz={13} c="dimmed">
          {t(`off.${off.move}`)}
        </Box>
      )}
      {open && (
        <Box id={`${id}-${open}`} mt={16} role="region" aria-label={t(`menu.${open}`)}>
          {open === 'move' && <MovePanel printer={printer} />}
          {open === 'extrude' && <ExtrudePanel printer={printer} />}
          {open === 'babyStep' && driver.babyStep && (
            <BabyStepPanel printer={printer} babyStep={driver.babyStep} />
          )}
          {open === 'tune' && <TunePanel printer={printer} />}
          {open === 'power' && driver.power && <PowerPanel printer={printer} power={driver.power} />}
        </Box>
      )}
    </Panel>
  )
}

/** Pushes filament out or pulls it back, never through a cold nozzle. */
function ExtrudePanel({ printer }: { printer: Printer }) {
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

  return (
    <div className={shared.fields}>
      {tools.length > 1 && hotend && (
        <SegmentedControl
          aria-label={t('extrude.tool')}
          data={tools.map(({ heater }) => ({ value: heater.key, label: words.heater(heater) }))}
          value={hotend.heater.key}
          onChange={setChosen}
        />
      )}
      <Flex wrap="wrap" align="flex-end" justify="space-between" gap="12px 20px">
        <Steps steps={EXTRUDE_STEPS} value={step} onChange={setStep} />
        <ExtrudeButtons onExtrude={(sign) => void extrude(sign)} />
      </Flex>
      <HotendNote hotend={hotend} />
    </div>
  )
}

/** Fan, speed and flow, each as a percentage of its own. */
function TunePanel({ printer }: { printer: Printer }) {
  return (
    <Stack gap={10}>
      {TUNES.map((tune) => (
        <TuneRow key={tune} printer={printer} tune={tune} />
      ))}
    </Stack>
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
      <TuneName tune={tune} now={now} />
      <NumberInput
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

function TuneName({ tune, now }: { tune: Tune; now: number | null }) {
  const { t } = useTranslation('toolhead')
  return (
    <span className={styles.tuneName}>
      {t(`tune.${tune}`)}
      {now !== null && <small>{t('tune.now', { percent: percentText(now) })}</small>}
    </span>
  )
}

function ExtrudeButtons({ onExtrude }: { onExtrude: (sign: 1 | -1) => void }) {
  const { t } = useTranslation('toolhead')
  return (
    <div className={shared.buttons}>
      <Button leftSection={<IconArrowBarUp size={16} stroke={1.75} />} onClick={() => onExtrude(-1)}>
        {t('extrude.retract')}
      </Button>
      <Button leftSection={<IconArrowBarDown size={16} stroke={1.75} />} onClick={() => onExtrude(1)}>
        {t('extrude.extrude')}
      </Button>
    </div>
  )
}

/** How hot it is, and whether it becomes hot enough. */
function HotendNote({ hotend }: { hotend: ReturnType<typeof hotends>[number] | undefined }) {
  const { t } = useTranslation('toolhead')
  const words = useWords()
  const heating = hotend && isCold(hotend) && (hotend.heater.target ?? 0) >= MIN_EXTRUDE
  return (
    <p className={shared.small} role={heating ? 'status' : undefined}>
      {hotend &&
        t('extrude.nozzle', { name: words.heater(hotend.heater), actual: degrees(hotend.heater.actual) })}
      {hotend && ' · '}
      {heating
        ? t('extrude.heating', {
            degrees: degrees(hotend.heater.target ?? 0, 0),
            min: degrees(MIN_EXTRUDE, 0),
          })
        : t('extrude.feed', { feed: EXTRUDE_FEED })}
    </p>
  )
}
