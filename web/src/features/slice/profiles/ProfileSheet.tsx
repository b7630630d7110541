import { useTranslation } from '../../../lib/translation.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import type { Field, Tab } from './fields.ts'
import type { Chosen, Settings } from './chosen.ts'
import { SettingsForm } from './SettingsForm.tsx'
import rows from '../../../ui/Rows.module.css'
import shared from '../../../ui/shared.module.css'

export interface ProfileSheetProps {
  chosen: Chosen
  settings: Settings
  tab: Tab
  onTab: (tab: Tab) => void
  onPicking: (field: Field) => void
  onOpen: (sheet: 'machines' | 'filaments' | 'processes') => void
  onClose: () => void
}

/** Printer, filament and process: each can be chosen when the one before it is; and what is changed of them. */
export function ProfileSheet(props: ProfileSheetProps) {
  const { t } = useTranslation('slicing')
  const { chosen, settings, tab, onTab, onPicking, onOpen, onClose } = props
  const { machine, filament, process } = chosen
  return (
    <Dialog onClose={onClose} title={t('settingsTitle')} size="lg">
      <ul className={rows.rows}>
        <Row
          label={t('printer')}
          preset={machine}
          none={t('selectPrinter')}
          onOpen={() => onOpen('machines')}
        />
        <Row
          label={t('filament')}
          preset={filament}
          none={t(machine ? 'selectFilament' : 'selectPrinterFirst')}
          isClosed={!machine}
          onOpen={() => onOpen('filaments')}
        />
        <Row
          label={t('process')}
          preset={process}
          none={t(machine && filament ? 'selectProcess' : 'selectBoth')}
          isClosed={!machine || !filament}
          onOpen={() => onOpen('processes')}
        />
      </ul>
      {process && filament && (
        <SettingsForm settings={settings} tab={tab} onTab={onTab} onPicking={onPicking} />
      )}
    </Dialog>
  )
}

interface RowProps {
  label: string
  preset: { readonly name: string } | null
  none: string
  isClosed?: boolean
  onOpen: () => void
}

const Row = ({ label, preset, none, isClosed = false, onOpen }: RowProps) => (
  <li>
    <button type="button" className={rows.row} data-ends disabled={isClosed} onClick={onOpen}>
      <span className={shared.soft}>{label}</span>
      <bdi className={preset ? undefined : shared.soft}>{preset?.name ?? none}</bdi>
    </button>
  </li>
)
