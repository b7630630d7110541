import { IconPlayerPause, IconPlugConnectedX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { SocketState } from '../../../lib/socket.ts'
import styles from './ControlPage.module.css'

/** Says when what stands here is no longer told live. */
export function LineNote({ state }: { state: SocketState }) {
  const { t } = useTranslation('printers')
  if (state !== 'paused' && state !== 'lost') return null
  const Icon = state === 'paused' ? IconPlayerPause : IconPlugConnectedX
  return (
    <p className={styles.note} role="status">
      <Icon size={16} stroke={1.75} aria-hidden />
      {t(`control.${state}`)}
    </p>
  )
}
