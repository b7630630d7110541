import { ActionIcon, UnstyledButton } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { TunnelUsage } from '@vigil/contract/remote/tunnels.ts'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Bar } from '../../../ui/Bar.tsx'
import { useNow } from '../../../lib/clock.ts'
import { dateFormat } from '../../../lib/format.ts'
import { useBytes } from '../../../ui/useBytes.ts'
import { toneOf } from './state.ts'
import styles from './Tunnel.module.css'

const DAY_S = 86_400

/** How much of the month's data is used: a bubble over the page that opens to what it means. Nothing where there is no cap. */
export function UsagePanel({ usage }: { usage: TunnelUsage }) {
  const { t, i18n } = useTranslation('tunnels')
  const data = useBytes()
  const now = useNow()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  if (usage.monthly_cap < 0) return null
  const share = usage.monthly_cap === 0 ? 1 : usage.total / usage.monthly_cap
  const percent = t('usage.percent', { value: Math.floor(share * 100) })
  const tone = toneOf(share)
  const resetAt = new Date(now + usage.reset_in_seconds * 1000)
  if (!isOpen)
    return (
      <UnstyledButton
        className={styles.bubble}
        data-tone={tone}
        aria-expanded={false}
        aria-label={t('usage.open', { percent })}
        onClick={() => setOpen(true)}
      >
        {percent}
      </UnstyledButton>
    )
  return (
    <section className={styles.usage} aria-labelledby={id}>
      <header>
        <h2 id={id}>{t('usage.title')}</h2>
        <ActionIcon aria-label={t('usage.close')} onClick={() => setOpen(false)}>
          <IconX size={18} stroke={1.75} />
        </ActionIcon>
      </header>
      <p>
        <strong>{data(usage.total)}</strong>{' '}
        <span>{t('usage.of', { cap: data(usage.monthly_cap), percent })}</span>
      </p>
      <Bar value={Math.min(100, share * 100)} color={tone} aria-label={t('usage.title')} />
      <p className={styles.soft}>
        {t('usage.reset', {
          count: Math.max(1, Math.ceil(usage.reset_in_seconds / DAY_S)),
          day: dateFormat(i18n.language, { day: 'numeric', month: 'long' }).format(resetAt),
        })}
      </p>
      <p className={styles.soft}>{t('usage.pro')}</p>
    </section>
  )
}
