import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '../lib/translation.ts'
import { paths } from '../lib/paths.ts'
import { Notice } from './Notice.tsx'

/** Where a page is none of this edition, or nobody knows what its address names: said, with the way home. */
export function NoSuchPage() {
  const { t } = useTranslation('common')
  return (
    <Notice
      whole
      title={t('notFound.title')}
      actions={
        <Button component={Link} to={paths.printers}>
          {t('notFound.home')}
        </Button>
      }
    />
  )
}
