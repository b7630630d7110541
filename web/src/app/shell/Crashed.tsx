import { useEffect } from 'react'
import { useTranslation } from '../../lib/translation.ts'
import { report } from '../../lib/report.ts'
import { ReloadNotice } from '../../ui/ReloadNotice.tsx'

/** A screen broke: reloading is the way on. */
export function Crashed({ error }: { error: unknown }) {
  const { t } = useTranslation('common')
  useEffect(() => report(error), [error])
  return <ReloadNotice title={t('crashed.title')} />
}
