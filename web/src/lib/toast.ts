import { notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'
import { say } from './translation.ts'

/** A short word at the edge of the screen. Failures and warnings stay longer and are announced at once. */
export function toast(
  message: ReactNode,
  kind: 'done' | 'failed' | 'warned' | 'info' = 'info',
  title?: string | null,
  /** One with this id that still stands is not shown again. */
  id?: string,
): void {
  const color = { done: 'good', failed: 'bad', warned: 'warn', info: 'accent' }[kind]
  const isUrgent = kind === 'failed' || kind === 'warned'
  notifications.show({
    message,
    ...(title ? { title } : {}),
    ...(id ? { id } : {}),
    color,
    closeButtonProps: { 'aria-label': say('common:close') },
    autoClose: isUrgent ? 10_000 : 5_000,
    role: isUrgent ? 'alert' : 'status',
  })
}
