import { Notifications } from '@mantine/notifications'

/** Where toasts stand, and how many at once. Loaded with the shell: they must speak when the line is lost, too. */
export function Toasts() {
  return <Notifications position="bottom-right" limit={4} />
}
