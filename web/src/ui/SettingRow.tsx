import { Box, Group, Loader } from '@mantine/core'
import { IconAlertCircle, IconCheck } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import { useTranslation } from '../lib/translation.ts'
import styles from './SettingRow.module.css'

export interface SaveState {
  phase: 'idle' | 'saving' | 'saved' | 'failed'
  error: string | null
  /** Of several fields that are saved together: what is wrong of each. */
  fields?: Readonly<Record<string, string>>
  /** Tries what failed once more, where that may help. */
  onRetry?: () => void
}

/** A tick, a wheel or a sign: how saving one field stands. Its place is always kept. */
export function SaveMark({ state }: { state: SaveState }) {
  const { t } = useTranslation('common')
  return (
    <span className={styles.mark} role="status" data-phase={state.phase}>
      {state.phase === 'saving' && <Loader size={16} role="img" aria-label={t('saving')} />}
      {state.phase === 'saved' && <IconCheck size={18} stroke={2} aria-label={t('saved')} />}
      {state.phase === 'failed' && <IconAlertCircle size={18} stroke={1.75} aria-hidden />}
    </span>
  )
}

/** What went wrong, and a way to try again. */
export function SaveError({ state: { error, onRetry } }: { state: SaveState }) {
  const { t } = useTranslation('common')
  if (!error) return null
  return (
    <Box mt={4} fz={13} c="var(--v-bad)" role="alert">
      {error}{' '}
      {onRetry && (
        <button type="button" className={styles.retry} onClick={onRetry}>
          {t('tryAgain')}
        </button>
      )}
    </Box>
  )
}

/** For a text input in a row: by itself it would forget the words that describe it. */
export const describedByRow = { withAria: false } as const

interface SettingRowProps {
  label: ReactNode
  hint?: ReactNode
  state?: SaveState
  /** Below the words instead of beside them. */
  wide?: boolean
  /** Part of the setting above it. */
  nested?: boolean
  children: (ids: { 'aria-labelledby': string; 'aria-describedby': string }) => ReactNode
}

/** One setting: its name, what it does, its control, and how saving it went. */
export function SettingRow({ label, hint, state, wide, nested, children }: SettingRowProps) {
  const id = useId()
  const ids = { 'aria-labelledby': `${id}-label`, 'aria-describedby': `${id}-hint` }
  return (
    <div className={styles.row} data-wide={wide || undefined} data-nested={nested || undefined}>
      <Box miw={0} flex={1}>
        <Group gap={8} wrap="nowrap" mih={20} fw={550}>
          <span id={ids['aria-labelledby']}>{label}</span>
          {state && <SaveMark state={state} />}
        </Group>
        <div id={ids['aria-describedby']}>
          {hint && (
            <Box mt={2} fz={13} c="dimmed">
              {hint}
            </Box>
          )}
          {state && <SaveError state={state} />}
        </div>
      </Box>
      <div className={styles.control}>{children(ids)}</div>
    </div>
  )
}
