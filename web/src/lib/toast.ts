import { notifications } from '@mantine/notifications'
import i18next from 'i18next'
import type { ReactNode } from 'react'

/** A short word at the edge of the screen. Failures stay longer and are announced at once. */
export function toast(
  message: ReactNode,
  kind: 'done' | 'failed' | 'info' = 'info',
  title?: string | null,
  /** One with this id that still stands is not shown again. */
  id?: string,
): void {
  const color = { done: 'good', failed: 'bad', info: 'accent' }[kind]
  notifications.show({
    message,
    ...(title ? { title } : {}),
    ...(id ? { id } : {}),
    color,
    closeButtonProps: { 'aria-label': i18next.t('close', { ns: 'common' }) },
    autoClose: kind === 'failed' ? 10_000 : 5_000,
    role: kind === 'failed' ? 'alert' : 'status',
  })
}
