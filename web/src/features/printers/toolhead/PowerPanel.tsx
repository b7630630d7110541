import { Button, Skeleton, Switch } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { confirm } from '../../../ui/confirm.tsx'
import type { Driver, PowerDevice } from '../../../printer/driver/driver.ts'
import { useDriver } from '../../../printer/driver/useDriver.ts'
import { readStatus } from '../../../printer/status.ts'
import shared from '../../../ui/shared.module.css'
import styles from './Toolhead.module.css'

interface PowerPanelProps {
  printer: Printer
  power: NonNullable<Driver['power']>
}

/** The sockets and relays that the printer's computer can switch. */
export function PowerPanel({ printer, power }: PowerPanelProps) {
  const { t } = useTranslation('toolhead')
  const { run } = useDriver(printer)
  const [busy, setBusy] = useState(false)
  const { data, isError, isPending, refetch } = useQuery({
    queryKey: ['power', printer.id],
    queryFn: async () => {
      const outcome = await run(power.list(), { quiet: true })
      if (!outcome.done) throw new Error('no power devices')
      return power.read(outcome.ret)
    },
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const printing = readStatus(printer)?.printing === true

  async function set(devices: PowerDevice[], on: boolean) {
    const [first] = devices
    const sure =
      on ||
      (await confirm({
        title:
          devices.length === 1 && first
            ? t('power.askTitle', { name: first.device })
            : t('power.askAllTitle'),
        text: t('power.askText'),
        action: t('power.turnOff'),
        tone: 'bad',
        dismiss: t('power.keep'),
      }))
    if (!sure) return
    setBusy(true)
    const outcomes = await Promise.all(
      devices.map(({ device }) => run(power.set(device, on), { tell: true })),
    )
    if (outcomes.some(({ done }) => done)) await refetch()
    setBusy(false)
  }

  if (isPending) return <Skeleton height={44} aria-label={t('power.loading')} role="status" />
  if (isError || !data)
    return (
      <div className={shared.fields}>
        <p className={shared.small} role="alert">
          {t('power.failed')}
        </p>
        <div className={shared.buttons}>
          <Button onClick={() => void refetch()}>{t('power.again')}</Button>
        </div>
      </div>
    )
  if (data.length === 0) return <p className={shared.small}>{t('power.none')}</p>

  const isLocked = ({ lockedWhilePrinting }: PowerDevice) => lockedWhilePrinting && printing
  const free = data.filter((each) => !isLocked(each))
  return (
    <div className={shared.fields}>
      <ul className={styles.devices}>
        {data.map((each) => (
          <li key={each.device}>
            <bdi className={styles.device}>
              {each.device}
              {isLocked(each) && <small>{t('power.locked')}</small>}
            </bdi>
            <Switch
              aria-label={each.device}
              checked={each.on}
              disabled={busy || isLocked(each)}
              onChange={() => void set([each], !each.on)}
            />
          </li>
        ))}
      </ul>
      {data.length > 1 && (
        <div className={shared.buttons}>
          <Button disabled={busy || free.every(({ on }) => on)} onClick={() => void set(free, true)}>
            {t('power.allOn')}
          </Button>
          <Button disabled={busy || !free.some(({ on }) => on)} onClick={() => void set(free, false)}>
            {t('power.allOff')}
          </Button>
        </div>
      )}
    </div>
  )
}
