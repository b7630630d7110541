import { Box, SegmentedControl, Stack } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { useStoredChoice } from '../../../lib/stored.ts'
import styles from './Toolhead.module.css'

/** A step size that this browser keeps for one printer (keys of docs/wire/browsers.md 4). */
export function useStep<T extends string>(
  kind: 'xyz' | 'extrude' | 'z-offset',
  printerId: number,
  steps: readonly T[],
  initial: T,
) {
  return useStoredChoice(`${kind}-mm-per-step-${printerId}`, steps, initial)
}

interface StepsProps<T extends string> {
  steps: readonly T[]
  value: T
  onChange: (step: T) => void
}

export function Steps<T extends string>({ steps, value, onChange }: StepsProps<T>) {
  const { t } = useTranslation('toolhead')
  const id = useId()
  return (
    <Stack gap={4} align="flex-start">
      <Box component="span" id={id} fz={13} c="var(--v-faint)">
        {t('step')}
      </Box>
      <SegmentedControl
        aria-labelledby={id}
        classNames={{ label: styles.step }}
        data={[...steps]}
        value={value}
        onChange={onChange}
      />
    </Stack>
  )
}
