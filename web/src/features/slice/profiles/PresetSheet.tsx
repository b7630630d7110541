import { NumberInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { SliceMachine, SlicePreset } from '@vigil/contract/slice/slicer.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Failed } from '../../../ui/Notice.tsx'
import { usePrice } from './price.ts'
import { filamentsQuery, processesQuery } from './profiles.api.ts'
import rows from '../../../ui/Rows.module.css'
import styles from './Profiles.module.css'

interface PresetSheetProps {
  kind: 'filament' | 'process'
  machine: SliceMachine
  current: SlicePreset | null
  onPick: (preset: SlicePreset) => void
  onClose: () => void
}

/** A printer's filaments as cards, its processes as a list. */
export function PresetSheet({ kind, machine, current, onPick, onClose }: PresetSheetProps) {
  const { t } = useTranslation('slicing')
  const isFilament = kind === 'filament'
  const query = isFilament ? filamentsQuery(machine.id) : processesQuery(machine.id)
  const { data, error, refetch } = useQuery(query)
  return (
    <Dialog onClose={onClose} title={t(isFilament ? 'selectFilament' : 'selectProcess')} size="lg">
      {!data && error && (
        <Failed title={t('failedProfiles')} problem={problemOf(error)} onRetry={() => void refetch()} />
      )}
      {!data && !error && <p role="status">{t('loadingFilaments')}</p>}
      {isFilament && <Price />}
      {data?.length === 0 && <p>{t('noFilaments')}</p>}
      <ul className={isFilament ? styles.cards : rows.rows} data-tall>
        {data?.map((preset) => (
          <li key={preset.id}>
            <button
              type="button"
              className={rows.row}
              data-ends
              aria-pressed={preset.id === current?.id}
              onClick={() => onPick(preset)}
            >
              <bdi>{preset.name}</bdi>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

/** What a kilogram costs: for what a print comes to. */
function Price() {
  const { t } = useTranslation('slicing')
  const [price, setPrice] = usePrice()
  return (
    <NumberInput
      label={t('price')}
      min={0}
      decimalScale={2}
      value={price ?? ''}
      onChange={(value) => setPrice(typeof value === 'number' && value > 0 ? value : null)}
    />
  )
}
