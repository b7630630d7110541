import type { ReactNode } from 'react'
import { useBootstrap } from '../../lib/session.ts'
import { Brand } from '../../ui/Brand.tsx'
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
  const { page_context: context } = useBootstrap()
  return (
    <main className={styles.page}>
      <div className={styles.column}>
        <Brand name={context.syndicate.display_name} size={26} />
        <section className={styles.card}>
          <h1 className={styles.title}>{title}</h1>
          {lead && <p className={styles.lead}>{lead}</p>}
          {children}
        </section>
        {foot && <p className={styles.foot}>{foot}</p>}
      </div>
    </main>
  )
}
