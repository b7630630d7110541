import { Button } from '@mantine/core'
import type { StoredFile } from '@vigil/contract/files/gcode-files.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { GcodeView } from '../../../gcode/index.ts'
import { bedAreaOf } from '../../../lib/gcode-details.ts'
import { Panel } from '../../../ui/Panel.tsx'
import styles from './FilePage.module.css'

/** Larger files are read when somebody asks for it: a phone may pay for each MB. */
const AT_ONCE_BYTES = 30_000_000

/** What the file prints, in three dimensions. */
export function FileGcode({ file }: { file: StoredFile }) {
  const { t } = useTranslation('gcode')
  const bytes = file.num_bytes ?? 0
  const [isWanted, setWanted] = useState(bytes <= AT_ONCE_BYTES)
  if (file.url === null) return null
  return (
    <Panel title={t('title')}>
      {isWanted ? (
        <GcodeView url={file.url} bedArea={bedAreaOf(file)} />
      ) : (
        <div className={styles.later}>
          <p>{t('large', { megabytes: Math.round(bytes / 1_000_000) })}</p>
          <Button onClick={() => setWanted(true)}>{t('show')}</Button>
        </div>
      )}
    </Panel>
  )
}
