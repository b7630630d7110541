import type { Printer } from '@vigil/contract/printers/printers.ts'
import { IconCloud, IconPrinter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '../lib/translation.ts'
import { paths } from '../lib/paths.ts'
import { agentCan } from './driver/versions.ts'
import styles from './FilePlaces.module.css'
import { ownPrintersQuery } from './printers.api.ts'
import { isOffline } from './state.ts'

/** Where files lie: the cloud, and each printer, those first whose files can be read now. `here` is the printer that is looked at. */
export function FilePlaces({ here }: { here: number | 'cloud' }) {
  const { t } = useTranslation('printer-files')
  const { data } = useQuery(ownPrintersQuery)
  const printers = (data ?? [])
    .filter(({ archived_at }) => !archived_at)
    .toSorted((a, b) => Number(whyNot(a) !== null) - Number(whyNot(b) !== null))
  if (printers.length === 0) return null
  return (
    <nav aria-label={t('places.label')} className={styles.places}>
      <ul>
        <li>
          <Link to={paths.folders} aria-current={here === 'cloud' ? 'true' : undefined}>
            <IconCloud size={17} stroke={1.75} aria-hidden />
            {t('places.cloud')}
          </Link>
        </li>
        {printers.map((printer) => {
          const reason = whyNot(printer)
          return (
            <li key={printer.id}>
              <Link
                to={paths.printerFolder(printer.id)}
                aria-current={here === printer.id ? 'true' : undefined}
              >
                <IconPrinter size={17} stroke={1.75} aria-hidden />
                <bdi>{printer.name}</bdi>
                {reason !== null && <span>{t(`places.${reason}`)}</span>}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

/** Why a printer's files can't be read now, shortly; the page that it leads to says more. */
function whyNot(printer: Printer): 'offline' | 'outdated' | null {
  if (isOffline(printer)) return 'offline'
  return agentCan(printer, 'browseFiles') ? null : 'outdated'
}
