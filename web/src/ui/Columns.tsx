import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './Columns.module.css'

/** A page of two columns. */
export const Columns = ({ children }: { children: ReactNode }) => (
  <div className={styles.columns}>{children}</div>
)

/** One of its columns, whose parts stand among those of the other where there is no room for both. */
export const Column = ({
  className = '',
  children,
}: {
  className?: string | undefined
  children: ReactNode
}) => <div className={`${styles.column} ${className}`}>{children}</div>

/** Such a page while it is waited for, so that nothing jumps when it comes: what it shows (the class of its place), and the heights of what stands beside. */
export const ColumnsWaiting = ({
  place,
  beside,
}: {
  place: string | undefined
  beside: readonly number[]
}) => (
  <div aria-busy="true">
    <Skeleton height={36} width={320} mb={22} />
    <Columns>
      <Skeleton className={place} />
      <div className={styles.beside}>
        {beside.map((height) => (
          <Skeleton key={height} height={height} />
        ))}
      </div>
    </Columns>
  </div>
)
