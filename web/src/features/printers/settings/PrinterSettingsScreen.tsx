import { useQuery } from '@tanstack/react-query'
import { Skeleton } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useNavigate } from '@tanstack/react-router'
import { useId } from '../../../lib/address.ts'
import { useTranslation } from 'react-i18next'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { useShortcut } from '../../../lib/shortcuts.ts'
import { useTitle } from '../../../lib/title.ts'
import { Failed } from '../../../ui/Notice.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { Deleted } from '../../../printer/Deleted.tsx'
import { printerQuery } from '../../../printer/printers.api.ts'
import { DangerZone } from './DangerZone.tsx'
import { DetectionSettings } from './DetectionSettings.tsx'
import { GeneralSettings } from './GeneralSettings.tsx'
import { learntQuery } from './learnt.api.ts'
import { PauseSettings } from './PauseSettings.tsx'
import { NozzleSettings } from './NozzleSettings.tsx'
import styles from './Settings.module.css'
import { TimelapseSettings } from './TimelapseSettings.tsx'
import { MachineSettings } from '../../files/machines/index.ts'
import { ZonesPanel } from '../zones/index.ts'

export default function PrinterSettingsScreen() {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation('common')
  const id = useId()
  const { data: printer, error, isPending, refetch } = useQuery(printerQuery(id))
  // Awaited with it, so that nothing on the page moves once it stands.
  const learnt = useQuery({ ...learntQuery(id), enabled: !error })
  if (printer && !learnt.isLoading) return <Settings printer={printer} />
  if (printer || isPending)
    return (
      <div className={styles.page} aria-busy="true">
        <PageHeader back={{ to: paths.control(id), label: common('back') }} title={t('title')} />
        {[84, 294, 380, 360].map((height) => (
          <Panel key={height}>
            <Skeleton height={14} width={90} mb={18} />
            <Skeleton height={height - 32} />
          </Panel>
        ))}
      </div>
    )
  if (problemOf(error).kind === 'missing') return <Deleted />
  return <Failed whole title={t('failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
}

function Settings({ printer }: { printer: Printer }) {
  const { t } = useTranslation('settings')
  const navigate = useNavigate()
  useTitle(`${t('title')} · ${printer.name}`)
  useShortcut('goControl', () => void navigate({ to: paths.control(printer.id) }))
  return (
    <div className={styles.page}>
      <PageHeader
        back={{ to: paths.control(printer.id), label: t('back', { name: printer.name }) }}
        title={t('title')}
        note={printer.name}
      />
      <GeneralSettings printer={printer} />
      <DetectionSettings printer={printer} />
      <ZonesPanel printer={printer} />
      <PauseSettings printer={printer} />
      <TimelapseSettings printer={printer} />
      <MachineSettings printerId={printer.id} />
      {printer.archived_at === null && <NozzleSettings printer={printer} />}
      <DangerZone printer={printer} />
    </div>
  )
}
