import { Box, Switch, UnstyledButton } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { IconChevronDown } from '@tabler/icons-react'
import { memo, type ReactNode, useId } from 'react'
import { useTranslation } from '../../../../lib/translation.ts'
import { degrees } from '../../../../lib/format.ts'
import { useStoredChoice } from '../../../../lib/stored.ts'
import { SaveError } from '../../../../ui/SettingRow.tsx'
import { useTimeText } from '../../../../ui/time.tsx'
import { useField } from '../../../../printer/useField.ts'
import type { StatusReading } from '../../../../printer/status.ts'
import { useWords } from '../../../../printer/words.ts'
import styles from './PrinterCard.module.css'

interface SectionProps {
  /** The key under which this browser keeps whether it is open (docs/wire/browsers.md 4). */
  keep: string
  initially: 'open' | 'closed'
  title: string
  children: ReactNode
}

/** A part of a card that folds into its title. */
function Section({ keep, initially, title, children }: SectionProps) {
  const id = useId()
  const [open, setOpen] = useStoredChoice(keep, ['true', 'false'], initially === 'open' ? 'true' : 'false')
  const isOpen = open === 'true'
  return (
    <div className={styles.section} data-open={isOpen || undefined}>
      <UnstyledButton
        className={styles.fold}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(isOpen ? 'false' : 'true')}
      >
        <span>{title}</span>
        <IconChevronDown size={16} stroke={1.75} aria-hidden />
      </UnstyledButton>
      <Box id={id} hidden={!isOpen} p="0 16px 10px">
        {isOpen && children}
      </Box>
    </div>
  )
}

/** Rendered again only when a setting has changed: switches are dear, and a status comes every second. */
export const SettingsSection = memo(
  function SettingsSection({ printer }: { printer: Printer }) {
    const { t } = useTranslation('grid')
    return (
      <Section keep={`panel-settings${printer.id}`} initially="open" title={t('section.settings')}>
        <SettingsSwitches printer={printer} />
      </Section>
    )
  },
  ({ printer: a }, { printer: b }) =>
    a.id === b.id && a.watching_enabled === b.watching_enabled && a.action_on_failure === b.action_on_failure,
)

function SettingsSwitches({ printer }: { printer: Printer }) {
  const { t } = useTranslation('grid')
  const watching = useField(printer, 'watching_enabled')
  const action = useField(printer, 'action_on_failure')
  const failed = [watching, action].find(({ state }) => state.error !== null)
  return (
    <div className={styles.switches}>
      <Switch
        size="xs"
        label={t('section.watch')}
        checked={watching.value}
        onChange={(event) => watching.set(event.currentTarget.checked)}
      />
      <Switch
        size="xs"
        label={t('section.pause')}
        checked={action.value === 'PAUSE'}
        disabled={!watching.value}
        onChange={(event) => action.set(event.currentTarget.checked ? 'PAUSE' : 'NONE')}
      />
      {failed && <SaveError state={failed.state} />}
    </div>
  )
}

export function TimeSection({ printer, reading }: { printer: Printer; reading: StatusReading }) {
  const { t } = useTranslation('grid')
  const { duration } = useTimeText()
  const { elapsedS, leftS } = reading
  const total = elapsedS !== null && leftS !== null ? elapsedS + leftS : null
  const shown = (seconds: number | null) => (seconds === null ? '–' : duration(seconds))
  return (
    <Section keep={`print-time${printer.id}`} initially="closed" title={t('section.time')}>
      <dl className={styles.facts} data-live>
        <div>
          <dt>{t('section.remaining')}</dt>
          <dd>{shown(leftS)}</dd>
        </div>
        <div>
          <dt>{t('section.total')}</dt>
          <dd>{shown(total)}</dd>
        </div>
      </dl>
    </Section>
  )
}

/** The first two, and others only while they heat: a card has one line for them. */
function shownHeaters({ heaters }: StatusReading) {
  return heaters.filter((heater, at) => at < 2 || (heater.target ?? 0) > 0)
}

export function TemperatureSection({ printer, reading }: { printer: Printer; reading: StatusReading }) {
  const { t } = useTranslation('grid')
  const words = useWords()
  return (
    <Section keep={`status_temp_block${printer.id}`} initially="open" title={t('section.temperature')}>
      <dl className={styles.facts} data-live>
        {shownHeaters(reading).map((heater) => (
          <div key={heater.key}>
            <dt>{words.heater(heater)}</dt>
            <dd>
              {degrees(heater.actual)}
              {heater.target ? <span className={styles.faint}> / {degrees(heater.target, 0)}</span> : null}
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
