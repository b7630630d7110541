import type { Person } from '@vigil/contract/people/directory.ts'
import { useTranslation } from '../../../lib/translation.ts'
import styles from './Admin.module.css'

/** What is unlike others about an account. */
export function Marks({ person }: { person: Person }) {
  const { t } = useTranslation('admin')
  const mark = person.is_leaving ? 'leaving' : person.is_active ? null : 'disabled'
  return (
    <>
      {person.is_staff && <span className={styles.mark}>{t('people.marks.staff')}</span>}
      {mark && (
        <span className={styles.mark} data-tone="bad">
          {t(`people.marks.${mark}`)}
        </span>
      )}
    </>
  )
}
