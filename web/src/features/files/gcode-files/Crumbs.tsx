import { IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { paths } from '../../../lib/paths.ts'
import { useDropTarget } from './dropping.ts'
import { folderPathQuery } from './gcode-files.api.ts'
import styles from './Files.module.css'
import { idOf } from './items.ts'
import { useMove } from './useChanges.ts'

interface CrumbsProps {
  /** Where one is; null is the root. */
  folder: number | null
  /** Opens another one; without it they are links. */
  onOpen?: (id: number | null) => void
}

/** The way from the root to a folder, each step of it to go back to. */
export function Crumbs({ folder, onOpen }: CrumbsProps) {
  const { t } = useTranslation('gcode-files')
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
              <Step id={id} onOpen={onOpen}>
                <bdi>{name}</bdi>
              </Step>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}

interface StepProps {
  id: number | null
  onOpen: CrumbsProps['onOpen'] | undefined
  children: ReactNode
}

/** A folder to go back to, and to drop something on. */
function Step({ id, onOpen, children }: StepProps) {
  const move = useMove()
  const { target } = useDropTarget({ onItems: (keys) => void move(keys.map(idOf), id) })
  if (onOpen)
    return (
      <button type="button" onClick={() => onOpen(id)}>
        {children}
      </button>
    )
  return (
    <Link to={id === null ? paths.folders : paths.folder(id)} draggable={false} {...target}>
      {children}
    </Link>
  )
}
