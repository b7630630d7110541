import { Box, SegmentedControl } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { useGiven } from '../../../lib/reach.ts'
import { useTitle } from '../../../lib/title.ts'
import { AddressNote } from '../../../ui/AddressNote.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Failed } from '../../../ui/Notice.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { KeysPanel } from './KeysPanel.tsx'
import { useApps, useRevokeApp, useRevokeTunnel, useTunnels } from './slicers.api.ts'
import shared from '../../../ui/shared.module.css'
import items from '../../../ui/Items.module.css'
import styles from './Slicers.module.css'
import { TokenRow } from './TokenRow.tsx'

const SLICERS = ['OrcaSlicer', 'PrusaSlicer', 'Cura'] as const
type Slicer = (typeof SLICERS)[number]

/** How each slicer is set up, step by step, with what is to be typed there. */
function GuidePanel() {
  const { t } = useTranslation('slicers')
  const [slicer, choose] = useState<Slicer>('OrcaSlicer')
  const given = useGiven('network')
  return (
    <Panel title={t('guide.title')}>
      <SegmentedControl
        fullWidth
        aria-label={t('guide.which')}
        value={slicer}
        onChange={(value) => choose(value)}
        data={[...SLICERS]}
      />
      <AddressNote given={given} />
      {slicer === 'OrcaSlicer' && <OrcaSteps address={given.address} />}
      {slicer === 'PrusaSlicer' && <PrusaSteps address={given.address} />}
      {slicer === 'Cura' && <CuraSteps address={given.address} />}
    </Panel>
  )
}

function Value({ label, text }: { label: string; text: string }) {
  const { t } = useTranslation('slicers')
  return (
    <div className={styles.copy}>
      <input readOnly value={text} aria-label={label} onFocus={(event) => event.currentTarget.select()} />
      <CopyButton text={text} label={t('copy')} />
    </div>
  )
}

const Steps = ({ children }: { children: ReactNode }) => <ol className={styles.steps}>{children}</ol>

function OrcaSteps({ address }: { address: string }) {
  const { t } = useTranslation('slicers')
  return (
    <>
      <Steps>
        <li>{t('guide.orca.open')}</li>
        <li>{t('guide.orca.type')}</li>
        <li>
          {t('guide.address')}
          <Value label={t('guide.addressOf', { slicer: 'OrcaSlicer' })} text={address} />
        </li>
        <li>{t('guide.orca.login')}</li>
        <li>{t('guide.orca.send')}</li>
      </Steps>
      <p className={items.soft}>{t('guide.orca.print')}</p>
    </>
  )
}

function PrusaSteps({ address }: { address: string }) {
  const { t } = useTranslation('slicers')
  return (
    <>
      <Steps>
        <li>{t('guide.key')}</li>
        <li>{t('guide.prusa.open')}</li>
        <li>{t('guide.prusa.type')}</li>
        <li>
          {t('guide.address')}
          <Value label={t('guide.addressOf', { slicer: 'PrusaSlicer' })} text={address} />
        </li>
        <li>{t('guide.prusa.key')}</li>
        <li>{t('guide.prusa.send')}</li>
      </Steps>
      <p className={items.soft}>{t('guide.prusa.others')}</p>
    </>
  )
}

function CuraSteps({ address }: { address: string }) {
  const { t } = useTranslation('slicers')
  const { protocol, hostname, port, pathname } = new URL(address)
  const isSecure = protocol === 'https:'
  return (
    <Steps>
      <li>{t('guide.cura.plugin')}</li>
      <li>{t('guide.key')}</li>
      <li>
        {t('guide.cura.connect')}
        <Value label={t('guide.cura.host')} text={hostname} />
        <span className={items.soft}>
          {t('guide.cura.rest', { port: port || (isSecure ? '443' : '80'), path: pathname })}{' '}
          {t(isSecure ? 'guide.cura.https' : 'guide.cura.http')}
        </span>
      </li>
      <li>{t('guide.cura.key')}</li>
      <li>{t('guide.cura.send')}</li>
    </Steps>
  )
}

/** What may bring files into the account: keys, programs that were let in, and how each slicer is set up. */
export default function AppsScreen() {
  const { t } = useTranslation('slicers')
  const { t: accounts } = useTranslation('accounts')
  useTitle(t('title'))
  return (
    <div className={shared.page}>
      <PageHeader title={t('title')} back={{ to: paths.preferences, label: accounts('preferences.title') }} />
      <KeysPanel />
      <AppsPanel />
      <GuidePanel />
    </div>
  )
}

/** Programs that were let in on a page that asks: slicers into the account, apps into a printer's own page. */
function AppsPanel() {
  const { t } = useTranslation('slicers')
  const apps = useApps()
  const tunnels = useTunnels()
  const revoking = useRevokeApp()
  const closing = useRevokeTunnel()
  const error = apps.error ?? tunnels.error
  const retry = () => void Promise.all([apps.refetch(), tunnels.refetch()])
  return (
    <Panel title={t('apps.title')}>
      <p className={items.soft}>{t('apps.lead')}</p>
      {error ? (
        <Failed title={t('apps.failed')} problem={problemOf(error)} onRetry={retry} />
      ) : (
        <ul className={items.list} aria-busy={!apps.data || !tunnels.data}>
          {apps.data?.length === 0 && tunnels.data?.length === 0 && (
            <Box component="li" p="14px 0" c="dimmed">
              {t('apps.none')}
            </Box>
          )}
          {tunnels.data?.map(({ printer, app, ...tunnel }) => (
            <TokenRow
              key={`tunnel-${tunnel.id}`}
              token={{ ...tunnel, printer, expires_at: null }}
              name={app}
              reach={t('apps.reaches', { name: printer.name })}
              revoking={closing}
              question={{
                title: t('apps.ask', { name: app }),
                text: t('apps.askTunnel', { printer: printer.name }),
              }}
            />
          ))}
          {apps.data?.map((app) => (
            <TokenRow
              key={app.id}
              token={app}
              name={app.app}
              reach={app.printer ? app.printer.name : t('apps.may')}
              revoking={revoking}
              question={{ title: t('apps.ask', { name: app.app }), text: t('apps.askText') }}
            />
          ))}
        </ul>
      )}
    </Panel>
  )
}
