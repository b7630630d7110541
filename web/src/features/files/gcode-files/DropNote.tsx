import { Progress } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { storageQuery } from './gcode-files.api.ts'
import styles from './Uploads.module.css'
import { useBytes } from '../../../ui/useBytes.ts'

/** Where to drop files, how large they may be, and how much room there is. */
export function DropNote({ name }: { name: string }) {
  const { t } = useTranslation('gcode-files')
  const bytes = useBytes()
  const { data } = useQuery(storageQuery)
  return (
    <div className={styles.drop}>
      <IconFileUpload size={20} stroke={1.5} aria-hidden />
      <span className={styles.anywhere}>{t('upload.drop', { folder: name })}</span>
      {data?.file_bytes != null && <span>{t('upload.limit', { size: bytes(data.file_bytes) })}</span>}
      {data && <Room used={data.used_bytes} all={data.storage_bytes} />}
    </div>
  )
}

/** `312 MB of 1 GB used`. */
function Room({ used, all }: { used: number; all: number | null }) {
  const { t } = useTranslation('gcode-files')
  const bytes = useBytes()
  if (all === null) return <span>{t('upload.used', { size: bytes(used) })}</span>
  const share = Math.min(100, (used / all) * 100)
  return (
    <span className={styles.room}>
      <Progress
        value={share}
        color={share > 90 ? 'warn' : 'accent'}
        className={styles.meter}
        aria-label={t('upload.meter')}
      />
      {t('upload.usedOf', { size: bytes(used), all: bytes(all) })}
    </span>
  )
}
