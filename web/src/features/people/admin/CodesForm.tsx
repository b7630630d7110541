import { Button, NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { Reply } from '@vigil/contract/endpoint.ts'
import { type CodesWish, type listBatches, MOST_CODES } from '@vigil/contract/shop/coupons.ts'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { csvOf, saveAs } from '../../../lib/csv.ts'
import { type Problem, problemOf } from '../../../lib/errors.ts'
import { useProblemText } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import shared from '../../../ui/shared.module.css'
import items from '../../../ui/Items.module.css'
import styles from './Admin.module.css'
import { useMakeCodes } from './codes.api.ts'

type Brands = Reply<typeof listBatches>['brands']

const HOURS = 'hours'
const BLANK = { brand: '', what: HOURS, hours: 20, count: 100, description: '', until: '' }
type Fields = typeof BLANK

/** What is asked of the server for what was written. */
const wishOf = ({ brand, what, hours, count, description, until }: Fields): CodesWish => ({
  brand,
  count,
  description,
  offer: what === HOURS ? null : what,
  hours: what === HOURS ? hours : null,
  expires_at: until === '' ? null : new Date(until).toISOString(),
})

const FIELD: Readonly<Record<string, keyof Fields>> = { offer: 'what', expires_at: 'until' }

/** What is wrong with each of the form's fields. */
function besideOf(problem: Problem | null): Record<string, string> {
  const wrong = problem?.kind === 'fields' ? problem.fields : {}
  return Object.fromEntries(Object.entries(wrong).map(([name, said]) => [FIELD[name] ?? name, said]))
}

/** Makes codes; they come once, and the browser keeps them as CSV. */
export function CodesForm({ brands }: { brands: Brands }) {
  const { t } = useTranslation('codes')
  const problemText = useProblemText()
  const [fields, setFields] = useState<Fields>({ ...BLANK, brand: brands[0]?.name ?? '' })
  const making = useMakeCodes()
  const problem = making.error ? problemOf(making.error) : null
  const beside = besideOf(problem)
  const codes = making.data?.codes
  return (
    <Panel title={t('make')}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          making.mutate(wishOf(fields))
        }}
      >
        <Inputs
          brands={brands}
          fields={fields}
          beside={beside}
          set={(change) => {
            setFields((before) => ({ ...before, ...change }))
            making.reset()
          }}
        />
        {problem && Object.keys(beside).length === 0 && (
          <p role="alert" className={shared.bad}>
            {problemText(problem)}
          </p>
        )}
        <div className={`${styles.wide} ${shared.buttons}`}>
          {codes === undefined ? (
            <Button
              type="submit"
              variant="filled"
              loading={making.isPending}
              disabled={fields.count < 1 || (fields.what === HOURS && fields.hours < 1)}
            >
              {t('makeButton', { count: fields.count })}
            </Button>
          ) : (
            <Made codes={codes} name={fields.what} onDone={making.reset} />
          )}
        </div>
      </form>
    </Panel>
  )
}

/** They can be downloaded for as long as this page stands, and never again. */
function Made({ codes, name, onDone }: { codes: readonly string[]; name: string; onDone: () => void }) {
  const { t } = useTranslation('codes')
  const save = () =>
    saveAs(`codes-${name}.csv`, csvOf([['code'], ...codes.map((code) => [code])]), 'text/csv;charset=utf-8')
  return (
    <>
      <p role="status" className={items.soft}>
        {t('once', { count: codes.length })}
      </p>
      <Button variant="filled" leftSection={<IconDownload size={16} stroke={1.75} />} onClick={save}>
        {t('download')}
      </Button>
      <Button onClick={onDone}>{t('more')}</Button>
    </>
  )
}

interface InputsProps {
  brands: Brands
  fields: Fields
  beside: Readonly<Record<string, string>>
  set: (change: Partial<Fields>) => void
}

function Inputs(props: InputsProps) {
  return (
    <>
      <WhatFor {...props} />
      <HowMany {...props} />
      <Beside {...props} />
    </>
  )
}

/** Whose codes, and what for. */
function WhatFor({ brands, fields, beside, set }: InputsProps) {
  const { t } = useTranslation('codes')
  const offers = brands.find(({ name }) => name === fields.brand)?.offers ?? []
  return (
    <>
      {brands.length > 1 && (
        <NativeSelect
          label={t('brand')}
          value={fields.brand}
          data={brands.map(({ name, display_name }) => ({ value: name, label: display_name }))}
          error={beside['brand']}
          onChange={(event) => set({ brand: event.currentTarget.value, what: HOURS })}
        />
      )}
      <NativeSelect
        label={t('what')}
        value={fields.what}
        data={[
          { value: HOURS, label: t('hours') },
          ...offers.map(({ offer, partner }) => ({ value: offer, label: `${partner}: ${offer}` })),
        ]}
        error={beside['what']}
        onChange={(event) => set({ what: event.currentTarget.value })}
      />
    </>
  )
}

function HowMany({ fields, beside, set }: InputsProps) {
  const { t } = useTranslation('codes')
  return (
    <>
      {fields.what === HOURS && (
        <NumberInput
          label={t('howManyHours')}
          value={fields.hours || ''}
          min={1}
          max={100_000}
          clampBehavior="strict"
          error={beside['hours']}
          onChange={(value) => set({ hours: Number(value) })}
        />
      )}
      <NumberInput
        label={t('howMany')}
        value={fields.count || ''}
        min={1}
        max={MOST_CODES}
        allowDecimal={false}
        clampBehavior="strict"
        error={beside['count']}
        onChange={(value) => set({ count: Number(value) })}
      />
    </>
  )
}

/** What its redeemer reads, and until when it counts. */
function Beside({ fields, beside, set }: InputsProps) {
  const { t } = useTranslation('codes')
  return (
    <>
      <TextInput
        label={t('for')}
        description={t('forHint')}
        value={fields.description}
        maxLength={200}
        error={beside['description']}
        onChange={(event) => set({ description: event.currentTarget.value })}
      />
      <TextInput
        type="datetime-local"
        label={t('end')}
        description={t('endHint')}
        value={fields.until}
        error={beside['until']}
        onChange={(event) => set({ until: event.currentTarget.value })}
      />
    </>
  )
}
