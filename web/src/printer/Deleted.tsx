import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { paths } from '../lib/paths.ts'
import { Notice } from '../ui/Notice.tsx'

/** 404 means deleted (docs/rules/pages.md). */
export function Deleted() {
  const { t } = useTranslation('printers')
  return (
    <Notice
      whole
      title={t('deleted.title')}
      actions={
        <Button variant="filled" renderRoot={(props) => <Link {...props} to={paths.printers} />}>
          {t('deleted.action')}
        </Button>
      }
    >
      {t('deleted.text')}
    </Notice>
  )
}
