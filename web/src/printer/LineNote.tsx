import { IconPlayerPause } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { SocketState } from '../lib/socket.ts'
import styles from './LineNote.module.css'

/** Says when what stands here is not told live because nobody looks; a line that is lost has its banner. */
export function LineNote({ state }: { state: SocketState }) {
  const { t } = useTranslation('printers')
  if (state !== 'paused') return null
  return (
    <p className={styles.note} role="status">
      <IconPlayerPause size={16} stroke={1.75} aria-hidden />
      {t('control.paused')}
    </p>
  )
}
