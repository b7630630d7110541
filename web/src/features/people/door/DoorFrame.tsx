import { Anchor, type AnchorProps, Box, Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useQueryValues } from '../../../lib/address.ts'
import { Brand } from '../../../ui/Brand.tsx'
import { GuestNav } from '../../../ui/GuestNav.tsx'
import styles from './Door.module.css'

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
      <Stack component="main" gap={20} align="center" w="100%" maw={380}>
        <Brand size={26} />
        <section className={styles.card}>
          <Box component="h1" fz={20} fw={650} lts="-0.01em">
            {title}
          </Box>
          {lead && (
            <Box component="p" mt={6} c="dimmed">
              {lead}
            </Box>
          )}
          {children}
        </section>
        {foot && <p className={styles.foot}>{foot}</p>}
      </Stack>
    </div>
  )
}

interface DoorLinkProps extends Pick<AnchorProps, 'display' | 'px' | 'py'> {
  to: string
  children: ReactNode
}

/** A way from one page before the door to another; where to go afterwards goes along. */
export function DoorLink({ to, ...rest }: DoorLinkProps) {
  const search = useQueryValues()
  return <Anchor renderRoot={(props) => <Link {...props} to={to} search={search} />} {...rest} />
}
