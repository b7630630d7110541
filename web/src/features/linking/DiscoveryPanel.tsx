import { Button, Loader } from '@mantine/core'
import type { Announcement } from '@vigil/contract/linking.ts'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../ui/Panel.tsx'
import { discoveredQuery } from './linking.api.ts'
import { useAutoLink } from './useAutoLink.ts'
import styles from './Wizard.module.css'

interface DiscoveryPanelProps {
  code: string | null
  onByHand: () => void
}

/** Printers that wait on the same network, each one press away. */
export function DiscoveryPanel({ code, onByHand }: DiscoveryPanelProps) {
  const { t } = useTranslation('linking')
  const { data: devices = [] } = useQuery(discoveredQuery)
  const { link, linking } = useAutoLink(code, onByHand)
  return (
    <Panel title={t('discovery.title')}>
      <p className={styles.hint}>{t('discovery.lead')}</p>
      {devices.length > 0 && (
        <ul className={styles.devices}>
          {devices.map((device) => (
            <li key={device.device_id}>
              <div>
                <strong>{nameOf(device)}</strong>
                <span className={styles.small}>{detailOf(device)}</span>
              </div>
              <Button
                variant="filled"
                loading={linking === device.device_id}
                disabled={!code || (linking !== null && linking !== device.device_id)}
                onClick={() => void link(device)}
              >
                {t('discovery.link')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <p className={styles.searching} role="status">
        <Loader size={16} aria-hidden />
        {devices.length > 0 ? t('discovery.more') : t('discovery.searching')}
      </p>
    </Panel>
  )
}

function nameOf(device: Announcement): string {
  const profile = device.printerprofile && device.printerprofile !== 'Unknown' ? device.printerprofile : null
  return profile ?? device.hostname ?? device.host_or_ip ?? device.device_id.slice(0, 8)
}

function detailOf(device: Announcement): string {
  return [device.host_or_ip, device.machine_type ?? device.agent, device.os].filter(Boolean).join(' · ')
}
