import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useHeaderHidden } from '../lib/header.ts'
import { Brand } from './Brand.tsx'
import { GuestNav } from './GuestNav.tsx'
import styles from './PublicFrame.module.css'

/** The frame of what everyone may see: the brand and a few links above it, nothing at its sides. */
export function PublicFrame({ children }: { children: ReactNode }) {
  const hidden = useHeaderHidden()
  return (
    <Stack gap={0} mih="100dvh">
      {!hidden && (
        <header className={styles.top}>
          <Brand />
          <GuestNav />
        </header>
      )}
      <main className={styles.stage}>{children}</main>
    </Stack>
  )
}
