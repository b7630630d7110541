import { Button, Loader } from '@mantine/core'
import type { Announcement } from '@vigil/contract/printers/linking.ts'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../../ui/Panel.tsx'
import { discoveredQuery, type DiscoveryState } from './linking.api.ts'
import { useAutoLink } from './useAutoLink.ts'
import styles from './Wizard.module.css'

interface DiscoveryPanelProps {
  code: string | null
  /** Why the list may stay empty, as the server sees it. */
  state: DiscoveryState | null
  onByHand: () => void
}

/** Printers that wait on the same network, each one press away. */
export function DiscoveryPanel({ code, state, onByHand }: DiscoveryPanelProps) {
  const { t } = useTranslation('linking')
  const { data: devices = [] } = useQuery({ ...discoveredQuery, enabled: state !== 'off' })
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
                {device.too_old && (
                  <span className={styles.error}>
                    {t('discovery.tooOld', { version: device.min_version ?? '1.8.0' })}
                  </span>
                )}
              </div>
              <Button
                variant={device.too_old ? 'default' : 'filled'}
                loading={linking === device.device_id}
                disabled={!code || (linking !== null && linking !== device.device_id)}
                onClick={() => (device.too_old ? onByHand() : void link(device))}
              >
                {device.too_old ? t('discovery.byHand') : t('discovery.link')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {state && state !== 'on' ? (
        <div className={styles.searching} role="status">
          <p>{t(`discovery.why.${state}`)}</p>
          <Button onClick={onByHand}>{t('discovery.byHand')}</Button>
        </div>
      ) : (
        <p className={styles.searching} role="status">
          <Loader size={16} aria-hidden />
          {devices.length > 0 ? t('discovery.more') : t('discovery.searching')}
        </p>
      )}
    </Panel>
  )
}

function nameOf(device: Announcement): string {
  const profile = device.printerprofile && device.printerprofile !== 'Unknown' ? device.printerprofile : null
  return profile ?? device.hostname ?? device.host_or_ip ?? device.device_id.slice(0, 8)
}

function detailOf(device: Announcement): string {
  const {
    host_or_ip: host,
    machine_type: machine,
    agent,
    rpi_model: board,
    os,
    octopi_version: image,
  } = device
  return [host, machine || agent, board, image && `OctoPi ${image}`, os].filter(Boolean).join(' · ')
}
