import { Alert, Box, Button, NativeSelect, TextInput } from '@mantine/core'
import type { NewApiKey } from '@vigil/contract/people/tokens.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { problemOf } from '../../../lib/errors.ts'
import { printersQuery } from '../../../printer/printers.api.ts'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Failed, useProblemText } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useKeys, useMakeKey, useRevokeKey } from './slicers.api.ts'
import shared from '../../../ui/shared.module.css'
import styles from './Slicers.module.css'
import { TokenRow } from './TokenRow.tsx'

/** Keys that slicers are given: the list, and a new one, which is shown once. */
export function KeysPanel() {
  const { t } = useTranslation('slicers')
  const { data, error, refetch } = useKeys()
  const revoking = useRevokeKey()
  const [fresh, setFresh] = useState<NewApiKey | null>(null)
  return (
    <Panel title={t('keys.title')}>
      <p className={styles.soft}>{t('keys.lead')}</p>
      {error ? (
        <Failed title={t('keys.failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
      ) : (
        <ul className={styles.list} aria-busy={!data}>
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
              reach={key.printer ? t('keys.on', { name: key.printer.name }) : t('keys.anywhere')}
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

const ENDS = ['', '30', '90', '365'] as const

function KeyForm({ onMade }: { onMade: (made: NewApiKey) => void }) {
  const { t } = useTranslation('slicers')
  const problemText = useProblemText()
  const { data: printers = [] } = useQuery(printersQuery)
  const [name, setName] = useState('')
  const [chosen, setPrinter] = useState<string | null>(null)
  const [days, setDays] = useState('')
  const making = useMakeKey()
  const problem = making.error ? problemOf(making.error) : null
  const beside = problem?.kind === 'fields' ? problem.fields['name'] : undefined
  // Nearly everybody wants it to print: the first printer is offered.
  const printer = chosen ?? (printers[0] ? `${printers[0].id}` : '')
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        const numbers = { printer_id: printer === '' ? null : Number(printer), days: Number(days) || null }
        making.mutate({ name, ...numbers }, { onSuccess: onMade })
      }}
    >
      <TextInput
        label={t('keys.name')}
        placeholder={t('keys.namePlaceholder')}
        value={name}
        maxLength={60}
        required
        withAsterisk={false}
        autoComplete="off"
        error={beside}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <PrinterChoice printers={printers} chosen={printer} onChoose={setPrinter} />
      <Ends days={days} onChange={setDays} />
      <Button type="submit" variant="filled" loading={making.isPending}>
        {t('keys.make')}
      </Button>
      {problem && !beside && (
        <p role="alert" className={shared.bad}>
          {problemText(problem)}
        </p>
      )}
    </form>
  )
}

function Ends({ days, onChange }: { days: string; onChange: (days: string) => void }) {
  const { t } = useTranslation('slicers')
  return (
    <NativeSelect
      label={t('keys.ends')}
      value={days}
      data={ENDS.map((value) => ({ value, label: t(`keys.endsIn.${value || 'never'}`) }))}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

interface PrinterChoiceProps {
  readonly printers: readonly { id: number; name: string }[]
  readonly chosen: string
  readonly onChoose: (printer: string) => void
}

function PrinterChoice({ printers, chosen, onChoose }: PrinterChoiceProps) {
  const { t } = useTranslation('slicers')
  return (
    <NativeSelect
      label={t('keys.printer')}
      value={chosen}
      data={[
        ...printers.map(({ id, name }) => ({ value: `${id}`, label: name })),
        { value: '', label: t('keys.noPrinter') },
      ]}
      onChange={(event) => onChoose(event.currentTarget.value)}
    />
  )
}
