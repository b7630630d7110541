import type { ReactNode } from 'react'
import { PublicFrame } from '../../../ui/PublicFrame.tsx'
import styles from './Ask.module.css'

/** The quiet card of the pages on which an app asks to be let in. */
export function AskFrame({
  title,
  above,
  children,
}: {
  title: string
  above?: ReactNode
  children: ReactNode
}) {
  return (
    <PublicFrame>
      <section className={styles.card}>
        {above}
        <h1>{title}</h1>
        {children}
      </section>
    </PublicFrame>
  )
}
