import { ActionIcon, Popover } from '@mantine/core'
import { IconHelpCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from '../lib/translation.ts'
import styles from './HelpWidget.module.css'

/** A question mark beside a setting: what it means, where it is asked. */
export function HelpWidget({ about, children }: { about: string; children: ReactNode }) {
  const { t } = useTranslation('common')
  return (
    <Popover width={300} position="bottom-start" shadow="md" withRoles>
      <Popover.Target>
        <ActionIcon size={24} className={styles.help} aria-label={t('helpAbout', { about })}>
          <IconHelpCircle size={17} stroke={1.75} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown fz={13} fw={400}>
        {children}
      </Popover.Dropdown>
    </Popover>
  )
}
