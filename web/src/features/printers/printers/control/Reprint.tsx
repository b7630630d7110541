import { Button } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import type { Print } from '@vigil/contract/prints/prints.ts'
import { IconRepeat } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { neededFor } from '../../../../printer/driver/versions.ts'
import { reprintable } from '../../../../printer/reprint/reprint.ts'
import { useReprint } from '../../../../printer/reprint/useReprint.tsx'
import styles from './ControlPage.module.css'

interface ReprintProps {
  printer: Printer
  transition: string | null
  print: Print
}

/** Prints the file of the last print again, where it lies on the printer. */
export function Reprint({ printer, transition, print }: ReprintProps) {
  const { t } = useTranslation('printers')
  const { reprint, busy } = useReprint(printer, transition)
  const file = reprintable(printer, print)
  if (file === null) return null
  if (file === 'tooOld') return <p className={styles.truth}>{t('reprint.tooOld', neededFor('reprint'))}</p>
  return (
    <div className={styles.lastActions}>
      <Button
        size="compact-md"
        leftSection={<IconRepeat size={16} stroke={1.75} />}
        loading={busy}
        disabled={transition !== null}
        onClick={() => void reprint(print, file)}
      >
        {t('reprint.button')}
      </Button>
    </div>
  )
}
