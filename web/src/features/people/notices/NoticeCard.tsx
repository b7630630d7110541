import { ActionIcon, Box } from '@mantine/core'
import { IconAlertCircle, IconAlertTriangle, IconInfoCircle, IconX } from '@tabler/icons-react'
import type { AccountNotice } from '@vigil/contract/people/notices.ts'
import { useTranslation } from '../../../lib/translation.ts'
import styles from './Notices.module.css'

const ICONS = { info: IconInfoCircle, warning: IconAlertTriangle, error: IconAlertCircle } as const

export type Shown = Pick<AccountNotice, 'level' | 'title' | 'body' | 'link_url' | 'link_text' | 'dismissible'>

interface NoticeCardProps {
  notice: Shown
  /** Absent: nobody could. */
  onDismiss?: () => void
}

/** One notice: how grave, what it says, where it leads, and the way to put it away. */
export function NoticeCard({ notice, onDismiss }: NoticeCardProps) {
  const { t } = useTranslation('common')
  const { level, title, body, link_url: url, link_text: link, dismissible } = notice
  const Icon = ICONS[level]
  return (
    <div className={styles.notice} data-level={level}>
      <Icon size={20} stroke={1.75} aria-hidden />
      <div className={styles.words}>
        {title !== null && (
          <Box component="span" fw={650}>
            {title}
          </Box>
        )}
        <p>{body}</p>
        {url !== null && (
          <a href={url} target="_blank" rel="noreferrer">
            {link}
          </a>
        )}
      </div>
      {dismissible && (
        <ActionIcon
          variant="subtle"
          aria-label={t('notices.dismiss', { words: title ?? body.slice(0, 60) })}
          onClick={onDismiss}
        >
          <IconX size={18} stroke={1.75} />
        </ActionIcon>
      )}
    </div>
  )
}
