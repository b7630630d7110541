import type { ReactNode } from 'react'
import styles from './DialogButtons.module.css'

/** The buttons at a dialog's foot, the way out first: in one row, or each as wide as the dialog where they don't fit. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return <div className={styles.buttons}>{children}</div>
}
