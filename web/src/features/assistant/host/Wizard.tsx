import { Button, NativeSelect } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { Dialog, DialogButtons } from '../../../ui/Dialog.tsx'
import { machinesQuery } from '../../slice/profiles/index.ts'
import type { Bench } from './bench.ts'
import { install } from './catalogue.ts'

interface WizardProps {
  bench: Bench
  wizard: 'add_printers' | 'add_filaments'
  onClose: () => void
}

/** The slicer's wizard: a printer comes with its filaments. */
export function Wizard({ bench, wizard, onClose }: WizardProps) {
  const { t } = useTranslation('assistant')
  return wizard === 'add_printers' ? (
    <AddPrinter bench={bench} onClose={onClose} />
  ) : (
    <Dialog title={t('host.wizardFilament', { name: bench.state().selected.printer })} onClose={onClose}>
      <ul>
        {bench.state().filaments.map(({ name }) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
      <DialogButtons>
        <Button variant="filled" onClick={onClose}>
          {t('host.done')}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}

function AddPrinter({ bench, onClose }: Omit<WizardProps, 'wizard'>) {
  const { t } = useTranslation('assistant')
  const client = useQueryClient()
  const { data: brands = [] } = useQuery(machinesQuery)
  const [brand, setBrand] = useState('')
  const models = (brands.find((one) => one.brand === brand) ?? brands[0])?.machine_models ?? []
  const machines = models.flatMap((model) => model.machines)
  const [name, setName] = useState('')
  const chosen = machines.find((machine) => machine.name === name) ?? machines[0]
  const add = async () => {
    if (chosen) await install(bench, client, chosen)
    onClose()
  }
  return (
    <Dialog title={t('host.wizardPrinter')} onClose={onClose}>
      <NativeSelect
        label={t('host.brand')}
        value={brand}
        data={brands.map((one) => one.brand)}
        onChange={({ currentTarget }) => setBrand(currentTarget.value)}
      />
      <NativeSelect
        label={t('host.model')}
        value={chosen?.name ?? ''}
        data={machines.map((machine) => machine.name)}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <DialogButtons>
        <Button variant="filled" onClick={() => void add()}>
          {t('host.done')}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
