import { ActionIcon, UnstyledButton } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import type { TunnelUsage } from '@vigil/contract/remote/tunnels.ts'
import { useId, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { useNow } from '../../../lib/clock.ts'
import { dateFormat } from '../../../lib/format.ts'
import { agentCan } from '../../../printer/driver/versions.ts'
import { Bar } from '../../../ui/Bar.tsx'
import { useBytes } from '../../../ui/useBytes.ts'
import shared from '../../../ui/shared.module.css'
import styles from './Tunnel.module.css'

/** Why a printer's own page cannot be shown now. */
export type Hurdle = 'waiting' | 'offline' | 'tooOld' | 'overCap'

/** So far over the cap nobody is stopped, as the server has it. */
const GRACE = 1.1

/** What stands between an owner and the printer's own page; null when nothing does. The printer itself may be off. */
export function hurdleOf(printer: Printer, usage: TunnelUsage | undefined): Hurdle | null {
  const { state } = printer.agent
  if (state === 'offline') return printer.agent.after_restart ? 'waiting' : 'offline'
  if (state === 'waiting') return 'waiting'
  if (printer.agent_version && !agentCan(printer, 'tunnel')) return 'tooOld'
  return usage && usage.monthly_cap >= 0 && usage.total > usage.monthly_cap * GRACE ? 'overCap' : null
}

/** Green, amber from four fifths of the cap on, red at it. */
export function toneOf(share: number): 'good' | 'warn' | 'bad' {
  if (share >= 1) return 'bad'
  return share >= 0.8 ? 'warn' : 'good'
}

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
      <p className={shared.small}>
        {t('usage.reset', {
          count: Math.max(1, Math.ceil(usage.reset_in_seconds / DAY_S)),
          day: dateFormat(i18n.language, { day: 'numeric', month: 'long' }).format(resetAt),
        })}
      </p>
      <p className={shared.small}>{t('usage.pro')}</p>
    </section>
  )
}
