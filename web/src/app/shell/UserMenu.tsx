import { UnstyledButton } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import { useUser } from '../../lib/session.ts'
import { DetectionHours } from '../../ui/DetectionHours.tsx'
import { lazyMenu } from '../../ui/lazy-menu.tsx'
import styles from './UserMenu.module.css'

const UserMenuList = lazyMenu(async () => (await import('./UserMenuList.tsx')).UserMenuList)

/** Who I am here, how it looks, and the way out. */
export function UserMenu() {
  const user = useUser()
  return (
    <UserMenuList
      button={
        <UnstyledButton className={styles.target}>
          <span className={styles.avatar} aria-hidden>
            {initials(user)}
          </span>
          <span className={styles.name}>
            {user.first_name || user.email}
            <small className={styles.hours}>
              <DetectionHours short />
            </small>
          </span>
          <IconSelector size={16} stroke={1.75} aria-hidden className={styles.chevron} />
        </UnstyledButton>
      }
    />
  )
}

function initials(user: { first_name: string; last_name: string; email: string }): string {
  const named = `${user.first_name.trim().charAt(0)}${user.last_name.trim().charAt(0)}`
  return (named || user.email.slice(0, 2)).toUpperCase()
}
