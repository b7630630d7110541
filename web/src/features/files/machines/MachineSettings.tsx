import { NumberInput, Skeleton, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Machine, MachineSaid } from '@vigil/contract/files/machines.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { DEBOUNCE_MS, type Field, useRefusal, useSaved } from '../../../printer/useField.ts'
import { useProblemText } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { describedByRow, SettingRow } from '../../../ui/SettingRow.tsx'
import { machineQuery, saveMachine } from './machines.api.ts'
import shared from '../../../ui/shared.module.css'

const NUMBERS = ['bed_width', 'bed_depth', 'height', 'nozzle_diameter'] as const
const MOST = { bed_width: 5000, bed_depth: 5000, height: 5000, nozzle_diameter: 10 } as const

/** What a printer is as a machine: what its agent tells, with a field for each thing that its owner says otherwise. */
export function MachineSettings({ printerId }: { printerId: number }) {
  const { t } = useTranslation('machines')
  const problemText = useProblemText()
  const { data, error } = useQuery(machineQuery(printerId))
  return (
    <Panel title={t('machine')}>
      {data ? (
        <>
          <p className={shared.small}>{t(data.told ? 'told' : 'notTold')}</p>
          {NUMBERS.map((field) => (
            <NumberField key={field} printerId={printerId} machine={data} field={field} />
          ))}
          <ModelField printerId={printerId} machine={data} />
        </>
      ) : error ? (
        <p className={shared.small}>{problemText(problemOf(error))}</p>
      ) : (
        <Skeleton height={330} />
      )}
    </Panel>
  )
}

interface FieldProps {
  printerId: number
  machine: Machine
}

function NumberField({ printerId, machine, field }: FieldProps & { field: (typeof NUMBERS)[number] }) {
  const { t } = useTranslation('machines')
  const told = machine.told?.[field]
  const { value, state, set, flush } = useMachineField(printerId, machine, field)
  return (
    <SettingRow label={t(`field.${field}`)} state={state}>
      {(ids) => (
        <NumberInput
          {...ids}
          {...describedByRow}
          w={150}
          value={value ?? ''}
          placeholder={told == null ? t('unknown') : `${told} mm`}
          min={0}
          max={MOST[field]}
          clampBehavior="none"
          allowNegative={false}
          decimalScale={2}
          suffix=" mm"
          aria-invalid={state.phase === 'failed'}
          onChange={(next) => set(typeof next === 'number' ? next : null)}
          onBlur={flush}
        />
      )}
    </SettingRow>
  )
}

function ModelField({ printerId, machine }: FieldProps) {
  const { t } = useTranslation('machines')
  const { value, state, set, flush } = useMachineField(printerId, machine, 'model')
  return (
    <SettingRow label={t('field.model')} hint={t('modelHint')} state={state}>
      {(ids) => (
        <TextInput
          {...ids}
          {...describedByRow}
          w="min(260px, 48vw)"
          value={value ?? ''}
          placeholder={machine.told?.model ?? t('unknown')}
          maxLength={100}
          onChange={(event) =>
            set(event.currentTarget.value.trim() === '' ? null : event.currentTarget.value)
          }
          onBlur={flush}
        />
      )}
    </SettingRow>
  )
}

/** One thing that an owner says of a printer; it saves itself a second after it was typed, or when it is left. */
function useMachineField<K extends keyof MachineSaid>(
  printerId: number,
  { said }: Machine,
  field: K,
): Field<MachineSaid[K]> {
  const { t } = useTranslation('machines')
  const client = useQueryClient()
  const refusalOf = useRefusal()

  async function put(value: MachineSaid[K]) {
    try {
      const kept = await saveMachine(printerId, { [field]: value })
      client.setQueryData(machineQuery(printerId).queryKey, kept)
      void client.invalidateQueries({ queryKey: ['fits'] })
      return null
    } catch (error) {
      return refusalOf(problemOf(error), field, t('notSaved'))
    }
  }
  return useSaved({
    held: said[field],
    delayMs: DEBOUNCE_MS,
    keeps: () => true,
    put,
    tooSlow: () => t('notSaved'),
  })
}
