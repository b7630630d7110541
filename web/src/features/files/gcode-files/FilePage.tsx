import type { StoredFile } from '@vigil/contract/files/gcode-files.ts'
import { useTranslation } from 'react-i18next'
import { useMessages } from '../../../lib/catalogue.ts'
import { paths } from '../../../lib/paths.ts'
import { FileHandOvers } from '../../../printer/cloudprint/HandOvers.tsx'
import { useTitle } from '../../../lib/title.ts'
import { Columns } from '../../../ui/Columns.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { FileActions } from './FileActions.tsx'
import { FitsPanel } from '../machines/index.ts'
import { FileCopies } from './FileCopies.tsx'
import { FileFacts } from './FileFacts.tsx'
import { FileGcode } from './FileGcode.tsx'
import styles from './FilePage.module.css'
import { FilePicture } from './FilePicture.tsx'
import { FilePrints } from './FilePrints.tsx'

/** One file of the cloud store, whole: how it looks, what is known of it, what was made of it, what can be done with it. */
export function FilePage({ file }: { file: StoredFile }) {
  const { t } = useTranslation('gcode-files')
  const message = useMessages()
  useTitle(file.filename)
  const isThere = file.deleted === null
  const folder = file.parent_folder
  return (
    <>
      <PageHeader
        back={{ to: folder ? paths.folder(folder.id) : paths.folders, label: t('file.back') }}
        title={<bdi>{file.filename}</bdi>}
        note={isThere ? null : <strong role="alert">{message('fileDeleted')}</strong>}
        actions={isThere && <FileActions file={file} />}
      />
      <Columns>
        <div className={styles.main}>
          {file.url === null ? <FilePicture file={file} /> : <FileGcode file={file} />}
        </div>
        <div className={styles.side}>
          <FileHandOvers fileId={file.id} />
          {file.url !== null && file.thumbnail1_url !== null && <FilePicture file={file} />}
          <FileFacts file={file} />
          {isThere && <FitsPanel fileId={file.id} />}
          <FilePrints file={file} />
          {isThere && <FileCopies file={file} />}
        </div>
      </Columns>
    </>
  )
}
