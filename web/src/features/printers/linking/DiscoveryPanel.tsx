import { Box, Button, Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Announcement } from '@vigil/contract/printers/linking.ts'
import { createElement, type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { useMessages } from '../../../lib/catalogue.ts'
import { toast } from '../../../lib/toast.ts'
import { ask } from '../../../ui/confirm.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { discoveredQuery, type DiscoveryState, sendSecret } from './linking.api.ts'
import shared from '../../../ui/shared.module.css'
import styles from './Wizard.module.css'

/** The printer's own page has this long to hand over its secret (docs/rules/pages.md 1). */
const HANDSHAKE_MS = 5_000

/** Where the printer hands out its secret: only to a browser on its own network (docs/wire/agents.md 2.3). */
function handshakeUrl(device: Announcement): string {
  const plugin = device.agent ? 'obico' : 'thespaghettidetective'
  const url = new URL(
    `http://${device.host_or_ip}:${device.port || 80}/plugin/${plugin}/grab-discovery-secret`,
  )
  url.searchParams.set('device_id', device.device_id)
  return url.href
}

/** Opens the printer's page in a small window and waits for its secret. */
function grabSecret(device: Announcement): Promise<{ secret: string } | 'blocked' | 'failed'> {
  const popup = window.open(handshakeUrl(device), '', 'width=500,height=100')
  if (!popup) return Promise.resolve('blocked')
  const origin = new URL(handshakeUrl(device)).origin
  return new Promise((resolve) => {
    const finish = (result: { secret: string } | 'failed') => {
      window.removeEventListener('message', listen)
      clearTimeout(timer)
      popup.close()
      resolve(result)
    }
    const listen = (event: MessageEvent) => {
      if (event.source !== popup && event.origin !== origin) return
      const secret: unknown = event.data?.device_secret
      if (typeof secret === 'string' && secret) finish({ secret })
    }
    const timer = setTimeout(() => finish('failed'), HANDSHAKE_MS)
    window.addEventListener('message', listen)
  })
}

/** After the secret was sent, the printer has this long to link itself (docs/rules/pages.md 1). */
const FOLLOW_UP_MS = 20_000

/** Links a printer found on the network; what goes wrong says why and leads to the six digits. */
function useAutoLink(code: string | null, onByHand: () => void) {
  const { t } = useTranslation('linking')
  const message = useMessages()
  const [linking, setLinking] = useState<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  async function offerByHand(title: string, text: ReactNode) {
    setLinking(null)
    const answer = await ask({
      title,
      text,
      choices: [{ value: 'hand', label: t('handshake.byHand') }],
    })
    if (answer === 'hand') onByHand()
  }

  function fallBack() {
    setLinking(null)
    toast(message('autoLinkFellBack'), 'failed')
    onByHand()
  }

  async function link(device: Announcement) {
    if (!code) return
    setLinking(device.device_id)
    const result = await grabSecret(device)
    if (result === 'blocked') return offerByHand(message('popUpBlocked'), t('handshake.blockedHow'))
    if (result === 'failed') return offerByHand(message('handshakeFailed'), createElement(HandshakeChecklist))
    try {
      await sendSecret(code, device.device_id, result.secret)
      timer.current = setTimeout(fallBack, FOLLOW_UP_MS)
    } catch {
      fallBack()
    }
  }

  return { link, linking }
}

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
      <p className={shared.soft}>{t('discovery.lead')}</p>
      {devices.length > 0 && (
        <ul className={styles.devices}>
          {devices.map((device) => (
            <li key={device.device_id}>
              <div>
                <strong>{nameOf(device)}</strong>
                <span className={styles.small}>{detailOf(device)}</span>
                {device.too_old && (
                  <span className={shared.problem}>
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

/** Why the printer's own page may not have answered, and the other way. */
function HandshakeChecklist() {
  const { t } = useTranslation('linking')
  const message = useMessages()
  return (
    <>
      <p>{message('handshakeChecklist')}</p>
      <Box component="ul" m="8px 0 0" pl={20}>
        <li>{message('handshakePlugin')}</li>
        <li>{message('handshakeNetwork')}</li>
      </Box>
      <Box component="p" mt={8}>
        {t('handshake.orElse')}
      </Box>
    </>
  )
}
