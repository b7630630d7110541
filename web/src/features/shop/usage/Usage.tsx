import { useQuery } from '@tanstack/react-query'
import type { ActiveSubscription } from '@vigil/contract/shop/subscriptions.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { Bar } from '../../../ui/Bar.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import { useBytes } from '../../../ui/useBytes.ts'
import { hoursQuery, storageQuery, tunnelUsageQuery } from './usage.api.ts'
import styles from './Usage.module.css'

/** What of the plan is used: hours, tunnel, storage, printers. */
export function Usage({ active }: { active: ActiveSubscription }) {
  const { t } = useTranslation('subscription')
  const { hours: hoursText } = useTimeText()
  const bytes = useBytes()
  const hours = useQuery(hoursQuery)
  const tunnel = useQuery(tunnelUsageQuery)
  const storage = useQuery(storageQuery)
  const cap = tunnel.data && tunnel.data.monthly_cap >= 0 ? tunnel.data.monthly_cap : null
  return (
    <dl className={styles.usage}>
      <Line
        name={t('usage.printers')}
        used={active.active_printers}
        most={active.printer_allowance}
        write={String}
      />
      {hours.data && (
        <div>
          <dt>{t('usage.hours')}</dt>
          <dd>
            {hours.data.is_unlimited
              ? t('unlimited')
              : t('usage.left', { left: hoursText(hours.data.balance) })}
          </dd>
        </div>
      )}
      {tunnel.data && <Line name={t('usage.tunnel')} used={tunnel.data.total} most={cap} write={bytes} />}
      {storage.data && (
        <Line
          name={t('usage.storage')}
          used={storage.data.used_bytes}
          most={storage.data.storage_bytes}
          write={bytes}
        />
      )}
    </dl>
  )
}

interface LineProps {
  name: string
  used: number
  /** Null is no limit. */
  most: number | null
  write: (amount: number) => string
}

function Line({ name, used, most, write }: LineProps) {
  const { t } = useTranslation('subscription')
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {most === null
          ? t('usage.ofUnlimited', { used: write(used) })
          : t('usage.of', { used: write(used), most: write(most) })}
        {most !== null && <Bar value={Math.min(100, (100 * used) / Math.max(1, most))} aria-label={name} />}
      </dd>
    </div>
  )
}
