import { IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { paths } from '../../lib/paths.ts'
import { folderPathQuery } from './files.api.ts'
import styles from './Files.module.css'

interface CrumbsProps {
  /** Where one is; null is the root. */
  folder: number | null
  /** Opens another one; without it they are links. */
  onOpen?: (id: number | null) => void
  /** Wraps each, so that something can be dropped on it. */
  wrap?: (id: number | null, crumb: React.ReactNode) => React.ReactNode
}

/** The way from the root to a folder, each step of it to go back to. */
export function Crumbs({ folder, onOpen, wrap = (_, crumb) => crumb }: CrumbsProps) {
  const { t } = useTranslation('files')
  const { data } = useQuery({ ...folderPathQuery(folder ?? 0), enabled: folder !== null })
  const steps: { id: number | null; name: string }[] = [
    { id: null, name: t('root') },
    ...(folder === null ? [] : (data ?? [])),
  ]
  return (
    <nav aria-label={t('crumbs')} className={styles.crumbs}>
      <ol>
        {steps.map(({ id, name }, at) => (
          <li key={id}>
            {at > 0 && <IconChevronRight size={15} stroke={1.75} aria-hidden />}
            {at === steps.length - 1 ? (
              <strong aria-current="page">
                <bdi>{name}</bdi>
              </strong>
            ) : (
              wrap(
                id,
                onOpen ? (
                  <button type="button" onClick={() => onOpen(id)}>
                    <bdi>{name}</bdi>
                  </button>
                ) : (
                  <Link to={id === null ? paths.folders : paths.folder(id)} draggable={false}>
                    <bdi>{name}</bdi>
                  </Link>
                ),
              )
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
