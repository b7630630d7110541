import { Button, NativeSelect, TextInput } from '@mantine/core'
import type { ApiKey, NewApiKey } from '@vigil/contract/people/tokens.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { PrinterChoice } from '../../../printer/PrinterChoice.tsx'
import { ownPrintersQuery } from '../../../printer/printers.api.ts'
import fields from '../../../ui/Form.module.css'
import { useProblemText } from '../../../ui/Notice.tsx'
import shared from '../../../ui/shared.module.css'
import { useMakeKey } from './slicers.api.ts'
import items from '../../../ui/Items.module.css'

const ENDS = ['', '30', '90', '365'] as const
const SCOPES = ['slicer', 'read', 'operate', 'manage'] as const satisfies readonly ApiKey['scope'][]

type Printers = readonly { readonly id: number; readonly name: string }[]

/** A slicer's key prints on one printer. */
function PrintsOn({
  printers,
  value,
  choose,
}: {
  printers: Printers
  value: string
  choose: (value: string) => void
}) {
  const { t } = useTranslation('slicers')
  return (
    <NativeSelect
      label={t('keys.printer')}
      value={value}
      data={[
        ...printers.map(({ id, name: label }) => ({ value: `${id}`, label })),
        { value: '', label: t('keys.noPrinter') },
      ]}
      onChange={(event) => choose(event.currentTarget.value)}
    />
  )
}

/** Makes a key: its name, what it may do, where, and until when. */
export function KeyForm({ onMade }: { onMade: (made: NewApiKey) => void }) {
  const { t } = useTranslation('slicers')
  const { data: printers = [] } = useQuery(ownPrintersQuery)
  const [name, setName] = useState('')
  const [scope, setScope] = useState<ApiKey['scope']>('slicer')
  const [chosen, setPrinter] = useState<string | null>(null)
  const [some, setSome] = useState<readonly number[] | null>(null)
  const [days, setDays] = useState('')
  const making = useMakeKey()
  const problem = making.error ? problemOf(making.error) : null
  const beside = problem?.kind === 'fields' ? problem.fields['name'] : undefined
  const isSlicer = scope === 'slicer'
  // Nearly everybody wants it to print: the first printer is offered.
  const printer = chosen ?? (printers[0] ? `${printers[0].id}` : '')
  const reach = isSlicer
    ? { printer_id: printer === '' ? null : Number(printer) }
    : { printer_ids: some && [...some] }
  return (
    <form
      className={fields.form}
      onSubmit={(event) => {
        event.preventDefault()
        making.mutate({ name, scope, ...reach, days: Number(days) || null }, { onSuccess: onMade })
      }}
    >
      <NameInput {...{ name, error: beside, choose: setName }} />
      <Scope scope={scope} choose={setScope} />
      {isSlicer ? (
        <PrintsOn printers={printers} value={printer} choose={setPrinter} />
      ) : (
        <PrinterChoice
          label={t('keys.for')}
          all={t('keys.forAll')}
          printers={printers}
          value={some}
          choose={setSome}
        />
      )}
      <Ends days={days} choose={setDays} />
      <Button
        type="submit"
        variant="filled"
        loading={making.isPending}
        disabled={!isSlicer && some?.length === 0}
      >
        {t('keys.make')}
      </Button>
      <KeyProblem making={making} isBeside={beside !== undefined} />
    </form>
  )
}

function Scope({ scope, choose }: { scope: ApiKey['scope']; choose: (scope: ApiKey['scope']) => void }) {
  const { t } = useTranslation('slicers')
  return (
    <>
      <NativeSelect
        label={t('keys.may')}
        value={scope}
        data={SCOPES.map((value) => ({ value, label: t(`keys.scope.${value}`) }))}
        onChange={(event) => choose(SCOPES.find((one) => one === event.currentTarget.value) ?? 'slicer')}
      />
      <p className={`${items.soft} ${fields.wide}`}>{t(`keys.scopeText.${scope}`)}</p>
    </>
  )
}

interface NameInputProps {
  name: string
  error: string | undefined
  choose: (name: string) => void
}

function NameInput({ name, error, choose }: NameInputProps) {
  const { t } = useTranslation('slicers')
  return (
    <TextInput
      label={t('keys.name')}
      placeholder={t('keys.namePlaceholder')}
      value={name}
      maxLength={60}
      required
      withAsterisk={false}
      autoComplete="off"
      error={error}
      onChange={(event) => choose(event.currentTarget.value)}
    />
  )
}

function Ends({ days, choose }: { days: string; choose: (days: string) => void }) {
  const { t } = useTranslation('slicers')
  return (
    <NativeSelect
      label={t('keys.ends')}
      value={days}
      data={ENDS.map((value) => ({ value, label: t(`keys.endsIn.${value || 'never'}`) }))}
      onChange={(event) => choose(event.currentTarget.value)}
    />
  )
}

/** Why no key was made, where it stands beside no field. */
function KeyProblem({ making, isBeside }: { making: ReturnType<typeof useMakeKey>; isBeside: boolean }) {
  const problemText = useProblemText()
  if (!making.error || isBeside) return null
  return (
    <p role="alert" className={shared.bad}>
      {problemText(problemOf(making.error))}
    </p>
  )
}
