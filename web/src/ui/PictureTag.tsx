import type { ReactNode } from 'react'
import styles from './Snapshot.module.css'

/** A few words on a picture, readable on any ground. */
export function PictureTag({ children }: { children: ReactNode }) {
  return <span className={styles.age}>{children}</span>
}
