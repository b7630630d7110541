import { Box, Button } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import type { Print } from '@vigil/contract/prints/prints.ts'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { detailsOf } from '../../../lib/gcode-details.ts'
import { paths } from '../../../lib/paths.ts'
import { Facts } from '../../../ui/Facts.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useDetailText } from '../../../ui/useDetailText.ts'
import { WhyNotAgain } from './PrintAgain.tsx'
import styles from './PrintPage.module.css'

/** So many stand before "Show more". */
const SHOWN_AT_FIRST = 3

interface FileDetailsProps {
  print: Print
  printer: Printer | undefined
}

/** The file that was printed, as far as anybody knows it. */
export function FileDetails({ print, printer }: FileDetailsProps) {
  const { t } = useTranslation('print-page')
  const [isWhole, setWhole] = useState(false)
  const { label, value } = useDetailText()
  const file = print.g_code_file
  if (!file) return null
  const details = detailsOf(file)
  const shown = isWhole ? details : details.slice(0, SHOWN_AT_FIRST)
  return (
    <Panel title={t('file.title')}>
      <p className={styles.filename}>
        <bdi>{file.filename}</bdi>
      </p>
      {file.deleted && <p className={styles.quiet}>{t('file.deleted')}</p>}
      {!file.deleted && file.resident_printer === null && (
        <Box component="p" m="8px 0 12px">
          <Button size="compact-md" renderRoot={(props) => <Link {...props} to={paths.file(file.id)} />}>
            {t('file.open')}
          </Button>
        </Box>
      )}
      {!file.deleted && file.resident_printer !== null && (
        <p className={styles.quiet}>{t('file.onPrinter')}</p>
      )}
      {printer && <WhyNotAgain print={print} printer={printer} />}
      <Facts rows={shown.map((detail) => [label(detail), value(detail)])} />
      {details.length > SHOWN_AT_FIRST && (
        <Button size="compact-md" aria-expanded={isWhole} onClick={() => setWhole((was) => !was)}>
          {t(isWhole ? 'file.less' : 'file.more')}
        </Button>
      )}
    </Panel>
  )
}
