import type { ReactNode } from 'react'
import styles from './Columns.module.css'

/** A page of two columns. */
export const Columns = ({ children }: { children: ReactNode }) => (
  <div className={styles.columns}>{children}</div>
)
