import { Box, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import shared from './shared.module.css'
import styles from './Panel.module.css'

interface PanelProps {
  title?: ReactNode
  aside?: ReactNode
  children: ReactNode
  tone?: 'plain' | 'bad' | 'warn'
  label?: string
  /** What it shows is of now: grey while the line is lost. */
  live?: boolean
}

/** A card with a hairline: the ground everything stands on. */
export function Panel({ title, aside, children, tone = 'plain', label, live }: PanelProps) {
  return (
    <section className={styles.panel} data-tone={tone} aria-label={label} data-live={live || undefined}>
      {(title || aside) && (
        <Group component="header" gap={12} wrap="nowrap" justify="space-between" mih={20} mb={12}>
          <h2 className={shared.label}>{title}</h2>
          {aside && (
            <Box fz={13} fw={600}>
              {aside}
            </Box>
          )}
        </Group>
      )}
      {children}
    </section>
  )
}
