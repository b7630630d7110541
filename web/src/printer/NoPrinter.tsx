import { useTranslation } from 'react-i18next'
import { problemOf } from '../lib/errors.ts'
import { NotLoaded } from '../ui/NotLoaded.tsx'
import { Deleted } from './Deleted.tsx'

/** Why there is no printer to show: it is deleted, or was not fetched and can be asked for again (docs/rules/pages.md). */
export function NoPrinter({ error, onRetry }: { error: unknown; onRetry: () => unknown }) {
  const { t } = useTranslation('printers')
  const problem = problemOf(error)
  if (problem.kind === 'missing') return <Deleted />
  return <NotLoaded title={t('control.failed')} problem={problem} onRetry={() => void onRetry()} />
}
