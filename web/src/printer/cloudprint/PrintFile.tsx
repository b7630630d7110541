import { Button } from '@mantine/core'
import type { StoredFile } from '@vigil/contract/files/gcode-files.ts'
import { IconPrinter } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../../lib/translation.ts'
import { lazyDialog } from '../../ui/lazily.tsx'

const PrintDialog = lazyDialog(async () => (await import('./PrintDialog.tsx')).PrintDialog)

/** Prints a file of the cloud: asks on which printer. `inRow`: one of many, quiet. */
export function PrintFile({ file, inRow }: { file: StoredFile; inRow?: boolean }) {
  const { t } = useTranslation('cloud-prints')
  const [open, setOpen] = useState(false)
  if (!file.url || file.deleted) return null
  return (
    <>
      {inRow ? (
        <Button
          size="compact-md"
          aria-label={t('printOf', { name: file.filename })}
          onClick={() => setOpen(true)}
        >
          {t('printAsked')}
        </Button>
      ) : (
        <Button
          variant="filled"
          leftSection={<IconPrinter size={17} stroke={1.75} />}
          onClick={() => setOpen(true)}
        >
          {t('print')}
        </Button>
      )}
      {open && <PrintDialog file={file} onClose={() => setOpen(false)} />}
    </>
  )
}
