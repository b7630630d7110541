import type { ReactNode } from 'react'
import { Brand } from '../../../ui/Brand.tsx'
import { GuestNav } from '../../../ui/GuestNav.tsx'
import styles from './DoorFrame.module.css'

/** The quiet frame of the pages before the door: sign in, sign up, first run. */
export function DoorFrame({
  title,
  lead,
  children,
  foot,
}: {
  title: string
  lead?: ReactNode
  children: ReactNode
  foot?: ReactNode
}) {
  return (
    <div className={styles.page}>
      <header className={styles.top}>
        <GuestNav />
      </header>
      <main className={styles.column}>
        <Brand size={26} />
        <section className={styles.card}>
          <h1 className={styles.title}>{title}</h1>
          {lead && <p className={styles.lead}>{lead}</p>}
          {children}
        </section>
        {foot && <p className={styles.foot}>{foot}</p>}
      </main>
    </div>
  )
}
