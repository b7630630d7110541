import '@mantine/notifications/styles.layer.css'
import { Notifications } from '@mantine/notifications'
import styles from './Toasts.module.css'
import { useToastPlace } from './useToastPlace.ts'

/** Dialogs begin at 200: what one says of a printer stands below what is being asked. */
const BELOW_DIALOGS = 150

const stack = () => document.querySelector<HTMLElement>(`.${styles.stack}[data-position='bottom-right']`)

/** Where toasts stand, and how many at once. Loaded as soon as the first screen stands: they must speak when the line is lost, too. */
export function Toasts() {
  useToastPlace(stack)
  return (
    <Notifications
      className={styles.stack ?? ''}
      position="bottom-right"
      withinPortal={false}
      limit={4}
      containerWidth={400}
      zIndex={BELOW_DIALOGS}
    />
  )
}
