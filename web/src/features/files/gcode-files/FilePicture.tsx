import type { StoredFile } from '@vigil/contract/files/gcode-files.ts'
import { IconFileCode } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import styles from './FilePage.module.css'

/** The largest picture that the slicer drew. */
export function FilePicture({ file }: { file: StoredFile }) {
  const { t } = useTranslation('gcode-files')
  return (
    <div className={styles.picturePlace}>
      {file.thumbnail1_url ? (
        <img src={file.thumbnail1_url} alt={t('file.picture')} />
      ) : (
        <>
          <IconFileCode size={48} stroke={1.25} aria-hidden />
          <p>{t('file.noPicture')}</p>
        </>
      )}
    </div>
  )
}
