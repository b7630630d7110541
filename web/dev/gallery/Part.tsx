import type { ReactNode } from 'react'
import styles from './Gallery.module.css'

/** One part, by its name in the code, in all its states. */
export function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className={styles.part} aria-label={name}>
      <h2 className={styles.name}>{name}</h2>
      <div className={styles.states}>{children}</div>
    </section>
  )
}
