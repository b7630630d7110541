import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '../lib/translation.ts'
import { problemOf } from '../lib/errors.ts'
import { paths } from '../lib/paths.ts'
import { Notice } from '../ui/Notice.tsx'
import { NotLoaded } from '../ui/NotLoaded.tsx'

/** Why there is no printer to show: it is deleted, or was not fetched and can be asked for again (docs/rules/pages.md). */
export function NoPrinter({ error, onRetry }: { error: unknown; onRetry: () => unknown }) {
  const { t } = useTranslation('printers')
  const problem = problemOf(error)
  if (problem.kind === 'missing') return <Deleted />
  return <NotLoaded title={t('control.failed')} problem={problem} onRetry={() => void onRetry()} />
}

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
