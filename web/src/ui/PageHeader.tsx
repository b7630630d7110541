import { Group } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import styles from './PageHeader.module.css'

interface PageHeaderProps {
  title: ReactNode
  note?: ReactNode
  actions?: ReactNode
  back?: { to: string; label: string; search?: Record<string, string> }
}

/** The one line at the top of a page: where I am, how it stands, what I can do. */
export function PageHeader({ title, note, actions, back }: PageHeaderProps) {
  return (
    <header className={styles.header}>
      <div className={styles.lead}>
        {back && (
          <Link
            to={back.to}
            search={back.search ?? {}}
            className={styles.back}
            aria-label={back.label}
            data-back
          >
            <IconChevronLeft size={20} stroke={1.75} />
          </Link>
        )}
        <h1 className={styles.title}>{title}</h1>
        {note && <div className={styles.note}>{note}</div>}
      </div>
      {actions && <Group gap={10}>{actions}</Group>}
    </header>
  )
}
