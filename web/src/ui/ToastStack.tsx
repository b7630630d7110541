import { Notifications } from '@mantine/notifications'

/** Where toasts stand, and how many at once. */
export function ToastStack() {
  return <Notifications position="bottom-right" limit={4} />
}
