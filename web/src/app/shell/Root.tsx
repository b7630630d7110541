import { useQuery } from '@tanstack/react-query'
import { Outlet, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { problemOf } from '../../lib/errors.ts'
import { hasChosenLanguage, showLanguage } from '../../lib/i18n.ts'
import { startReports } from '../../lib/report.ts'
import { type Bootstrap, bootstrapQuery } from '../../lib/session.ts'
import { Failed } from '../../ui/Notice.tsx'
import { useArrival } from './useArrival.ts'

/** Nothing is shown before we know who looks; without the server, that is what is said. */
export function Root() {
  const { t } = useTranslation('common')
  const { data, error, refetch, isPending } = useQuery(bootstrapQuery)
  const language = data?.user?.language ?? data?.page_context.language

  useEffect(() => {
    if (language && !hasChosenLanguage()) showLanguage(language).catch(() => undefined)
  }, [language])

  useReports(data?.settings)
  useArrival()

  if (isPending) return <div aria-busy="true" />
  if (!data)
    return (
      <main>
        <Failed whole title={t('noServer')} problem={problemOf(error)} onRetry={() => void refetch()} />
      </main>
    )
  return <Outlet />
}

/** What breaks here is told where the operator wants it, and else nowhere. */
function useReports(settings: Bootstrap['settings'] | undefined): void {
  const router = useRouter()
  const { SENTRY_DSN: dsn, VERSION: version } = settings ?? {}
  useEffect(() => {
    if (dsn && version)
      startReports({ dsn, version, route: () => router.state.matches.at(-1)?.routeId ?? '' })
  }, [router, dsn, version])
}
