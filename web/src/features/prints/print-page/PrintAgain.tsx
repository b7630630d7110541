import { Button } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import type { Print } from '@vigil/contract/prints/prints.ts'
import { IconRepeat } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMessages } from '../../../lib/catalogue.ts'
import { neededFor } from '../../../printer/driver/versions.ts'
import { notReady, reprintable } from '../../../printer/reprint/reprint.ts'
import { useReprint } from '../../../printer/reprint/useReprint.tsx'
import { useLive } from '../../../printer/live/printer-line.ts'
import { useTransition } from '../../../printer/useTransition.ts'
import { Beginning } from './Beginning.tsx'
import styles from './PrintPage.module.css'

interface PrintAgainProps {
  print: Print
  printer: Printer
}

/** Prints the file again, where it lies on its printer; what stands against it is said where the button is. */
export function PrintAgain({ print, printer }: PrintAgainProps) {
  const file = reprintable(printer, print)
  if (file === null || printer.archived_at) return null
  return <AgainButton print={print} printer={printer} file={file} />
}

function AgainButton({
  print,
  printer,
  file,
}: PrintAgainProps & { file: Exclude<ReturnType<typeof reprintable>, null> }) {
  const { t } = useTranslation('print-page')
  // It is sent over the printer's line.
  useLive(printer.id)
  const transition = useTransition(printer)
  const { reprint, busy } = useReprint(printer, transition)
  const [begins, setBegins] = useState(false)
  const why = useWhyNot(printer, transition, file)
  return (
    <>
      <Button
        variant="filled"
        leftSection={<IconRepeat size={17} stroke={1.75} />}
        loading={busy}
        disabled={why !== null}
        title={why ?? undefined}
        onClick={() => {
          if (file !== 'tooOld') void reprint(print, file).then((took) => took && setBegins(true))
        }}
      >
        {t('reprint.button')}
      </Button>
      {begins && <Beginning printer={printer} onClose={() => setBegins(false)} />}
    </>
  )
}

/** Why it can't be printed right now, in the catalogue's words; null when it can. */
function useWhyNot(
  printer: Printer,
  transition: string | null,
  file: ReturnType<typeof reprintable>,
): string | null {
  const { t } = useTranslation('printers')
  const message = useMessages()
  if (file === 'tooOld') return t('reprint.tooOld', neededFor('reprint'))
  const reason = notReady(printer, transition)
  return reason && message(reason)
}

/** The same in words, for whom a button that is off says nothing. */
export function WhyNotAgain({ print, printer }: PrintAgainProps) {
  const { t } = useTranslation('print-page')
  const file = reprintable(printer, print)
  const why = useWhyNot(printer, null, file)
  if (file === null || why === null || printer.archived_at) return null
  return <p className={styles.quiet}>{file === 'tooOld' ? why : t('reprint.notNow', { why })}</p>
}
