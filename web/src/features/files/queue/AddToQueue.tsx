import { Button } from '@mantine/core'
import { IconListCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { EntryDialog } from './EntryDialog.tsx'

/** Puts a file of the cloud into the print queue. */
export function AddToQueue({ file }: { file: { id: number; filename: string } }) {
  const { t } = useTranslation('queue')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button leftSection={<IconListCheck size={17} stroke={1.75} />} onClick={() => setOpen(true)}>
        {t('add.button')}
      </Button>
      {isOpen && <EntryDialog file={file} onClose={() => setOpen(false)} />}
    </>
  )
}
