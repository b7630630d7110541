import { Alert, Box, Button } from '@mantine/core'
import type { ApiKey, NewApiKey } from '@vigil/contract/people/tokens.ts'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Failed } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { KeyForm } from './KeyForm.tsx'
import { useKeys, useRevokeKey } from './slicers.api.ts'
import items from '../../../ui/Items.module.css'
import styles from './Slicers.module.css'
import { TokenRow } from './TokenRow.tsx'

/** What a key may do, and where. */
function useReach() {
  const { t, i18n } = useTranslation('slicers')
  return ({ scope, printer, printers }: ApiKey): string => {
    if (scope === 'slicer') return printer ? t('keys.on', { name: printer.name }) : t('keys.anywhere')
    const names = new Intl.ListFormat(i18n.language).format((printers ?? []).map(({ name }) => name))
    const place = names === '' ? t('keys.nowhere') : names
    return `${t(`keys.scope.${scope}`)} · ${printers === null ? t('keys.everywhere') : place}`
  }
}

/** Keys that programs are given: the list, and a new one, which is shown once. */
export function KeysPanel() {
  const { t } = useTranslation('slicers')
  const reachOf = useReach()
  const { data, error, refetch } = useKeys()
  const revoking = useRevokeKey()
  const [fresh, setFresh] = useState<NewApiKey | null>(null)
  return (
    <Panel title={t('keys.title')}>
      <p className={items.soft}>{t('keys.lead')}</p>
      {error ? (
        <Failed title={t('keys.failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
      ) : (
        <ul className={items.list} aria-busy={!data}>
          {data?.length === 0 && (
            <Box component="li" p="14px 0" c="dimmed">
              {t('keys.none')}
            </Box>
          )}
          {data?.map((key) => (
            <TokenRow
              key={key.id}
              token={key}
              name={key.name}
              hint={key.hint}
              reach={reachOf(key)}
              address={key.last_address}
              revoking={revoking}
              question={{ title: t('keys.ask', { name: key.name }), text: t('keys.askText') }}
            />
          ))}
        </ul>
      )}
      {fresh ? <FreshKey made={fresh} onDone={() => setFresh(null)} /> : <KeyForm onMade={setFresh} />}
    </Panel>
  )
}

/** The one time that a key is seen. */
function FreshKey({ made, onDone }: { made: NewApiKey; onDone: () => void }) {
  const { t } = useTranslation('slicers')
  return (
    <Alert color="good" title={t('keys.made', { name: made.name })} role="status">
      <p>{t('keys.once')}</p>
      <div className={styles.copy}>
        <input
          readOnly
          value={made.key}
          aria-label={t('keys.key')}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton text={made.key} label={t('copy')} />
      </div>
      <Button onClick={onDone}>{t('keys.done')}</Button>
    </Alert>
  )
}
