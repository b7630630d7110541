import { SegmentedControl } from '@mantine/core'
import type { StoredFile } from '@vigil/contract/files/gcode-files.ts'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useState } from 'react'
import { useTranslation } from '../../../../lib/translation.ts'
import { PrintDialog } from '../../../../printer/cloudprint/PrintDialog.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { PickCloudFile } from '../../../files/gcode-files/index.ts'
import { PickPrinterFile } from '../../../remote/printer-files/index.ts'
import styles from './ControlPage.module.css'

interface FilePickerProps {
  printer: Printer
  onClose: () => void
}

/** What is to be printed on an idle printer: a file of the cloud, or one that lies on it. */
export function FilePicker({ printer, onClose }: FilePickerProps) {
  const { t } = useTranslation('printer-files')
  const [place, setPlace] = useState<'cloud' | 'printer'>('cloud')
  const [folder, setFolder] = useState<number | null>(null)
  const [file, setFile] = useState<Pick<StoredFile, 'id' | 'filename'> | null>(null)
  if (file)
    return <PrintDialog file={file} printerId={printer.id} onClose={() => setFile(null)} onSent={onClose} />
  return (
    <Dialog title={t('pick.title', { name: printer.name })} size="lg" onClose={onClose}>
      <div className={styles.picker}>
        <SegmentedControl
          fullWidth
          aria-label={t('pick.place')}
          value={place}
          onChange={(value) => setPlace(value)}
          data={[
            { value: 'cloud', label: t('fromCloud') },
            { value: 'printer', label: t('fromPrinter') },
          ]}
        />
        {place === 'cloud' ? (
          <PickCloudFile folder={folder} onOpen={setFolder} onPick={setFile} />
        ) : (
          <PickPrinterFile printer={printer} onSent={onClose} />
        )}
      </div>
    </Dialog>
  )
}
