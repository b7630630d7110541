import { Box, Button, Flex, Group, NumberInput, Slider } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { degrees } from '../../../lib/format.ts'
import { Dialog, DialogButtons } from '../../../ui/Dialog.tsx'
import type { Heater } from '../../../printer/status.ts'
import { useWords } from '../../../printer/words.ts'
import { maxTarget, presetTarget, type Profile } from './heaters.ts'
import shared from '../../../ui/shared.module.css'
import styles from './Temperatures.module.css'

interface HeaterDialogProps {
  heater: Heater
  profiles: Profile[]
  /** Null, or why it was not done. */
  onSet: (target: number) => Promise<string | null>
  onClose: () => void
}

/** One heater's target: by preset, by slider, or as a number. */
export function HeaterDialog({ heater, profiles, onSet, onClose }: HeaterDialogProps) {
  const { t } = useTranslation(['temperatures', 'common'])
  const name = useWords().heater(heater)
  const max = maxTarget(heater.key)
  const [value, setValue] = useState(Math.round(heater.target ?? 0))
  const [typed, setTyped] = useState<number | string>(value)
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)

  function choose(next: number) {
    setValue(next)
    setTyped(next)
  }

  const choices = profiles.flatMap((profile) => {
    const target = presetTarget(profile, heater.key)
    return target ? [{ label: profile.name, target }] : []
  })
  const known = value === 0 || choices.some(({ target }) => target === value)

  async function set() {
    setBusy(true)
    const words = await onSet(value)
    setBusy(false)
    setRefused(words)
    if (words === null) onClose()
  }

  return (
    <Dialog onClose={onClose} title={t('dialog.title', { name })}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void set()
        }}
      >
        <p className={shared.soft}>{t('dialog.now', { actual: degrees(heater.actual) })}</p>
        <Flex wrap="wrap" gap={8} m="14px 0 18px" role="group" aria-label={t('dialog.preset')}>
          <Choice
            label={t('dialog.manual')}
            chosen={!known}
            onChoose={() => choose(value || Math.round(max / 2))}
          />
          <Choice label={t('dialog.off')} chosen={value === 0} onChoose={() => choose(0)} />
          {choices.map(({ label, target }) => (
            <Choice
              key={`${label} ${target}`}
              label={label}
              note={degrees(target, 0)}
              chosen={value === target}
              onChoose={() => choose(target)}
            />
          ))}
        </Flex>
        <Group gap={18} wrap="nowrap">
          <Slider
            className={shared.spring}
            min={0}
            max={max}
            step={1}
            value={value}
            onChange={choose}
            thumbLabel={t('dialog.value')}
            label={(shown) => degrees(shown, 0)}
          />
          <NumberInput
            data-autofocus
            w={92}
            aria-label={t('dialog.value')}
            min={0}
            max={max}
            allowDecimal={false}
            allowNegative={false}
            clampBehavior="strict"
            suffix=" °C"
            value={typed}
            onChange={(next) => {
              setTyped(next)
              if (typeof next === 'number') setValue(next)
            }}
            onBlur={() => setTyped(value)}
          />
        </Group>
        <Box component="p" mt={6} fz={13} c="var(--v-faint)">
          {t('dialog.range', { max: degrees(max, 0) })}
        </Box>
        {refused && (
          <Box component="p" role="alert" mt={12} c="var(--v-bad)">
            {refused}
          </Box>
        )}
        <DialogButtons>
          <Button type="submit" variant="filled" loading={busy}>
            {value === 0 ? t('dialog.turnOff') : t('dialog.apply')}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}

interface ChoiceProps {
  label: string
  note?: string
  chosen: boolean
  onChoose: () => void
}

function Choice({ label, note, chosen, onChoose }: ChoiceProps) {
  return (
    <button type="button" className={styles.choice} aria-pressed={chosen} onClick={onChoose}>
      <bdi>{label}</bdi>
      {note && <small>{note}</small>}
    </button>
  )
}
