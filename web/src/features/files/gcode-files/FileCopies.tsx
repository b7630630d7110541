import type { StoredFile } from '@vigil/contract/files/gcode-files.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { paths } from '../../../lib/paths.ts'
import { Panel } from '../../../ui/Panel.tsx'
import styles from './FilePage.module.css'
import { copiesQuery } from './gcode-files.api.ts'

/** Where the same content lies, too. */
export function FileCopies({ file }: { file: StoredFile }) {
  const { t } = useTranslation('gcode-files')
  const { data } = useQuery(copiesQuery(file.id))
  if (!data || data.length === 0) return null
  return (
    <Panel title={t('copies.title')}>
      <p className={styles.quiet}>{t('copies.note')}</p>
      <ul className={styles.prints}>
        {data.map(({ id, filename, parent_folder: folder }) => (
          <li key={id}>
            <Link to={paths.file(id)}>
              <bdi>{t('copies.in', { name: filename, folder: folder?.name ?? t('root') })}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
