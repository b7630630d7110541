import { Radio, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Failed } from '../../../ui/Notice.tsx'
import shared from '../../../ui/shared.module.css'
import { pricingQuery } from '../pricing/index.ts'
import { useMoney } from './money.ts'
import { openPack } from './payments.api.ts'
import { BuyFoot } from './useBuy.tsx'

/** Hours that are bought once and never expire: one pack has to be chosen. */
export function PackDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('subscription')
  const { data, error, refetch } = useQuery(pricingQuery)
  const money = useMoney(data?.currency ?? 'USD')
  const [level, setLevel] = useState('')
  return (
    <Dialog onClose={onClose} title={t('packs.title')}>
      {error && <Failed title={t('failed')} problem={problemOf(error)} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={90} aria-busy="true" />}
      {data && (
        <div className={shared.fields}>
          <Radio.Group label={t('packs.choose')} value={level} onChange={setLevel}>
            <Stack gap={10} mt={6}>
              {data.dhpacks.map(({ level: one, prepaid_hours: hours, prepaid_cents: cents }) =>
                hours === null || cents === null ? null : (
                  <Radio key={one} value={one} label={t('packs.pack', { hours, price: money(cents) })} />
                ),
              )}
            </Stack>
          </Radio.Group>
          <BuyFoot open={() => openPack(level)} isReady={level !== ''} onClose={onClose} />
        </div>
      )}
    </Dialog>
  )
}
