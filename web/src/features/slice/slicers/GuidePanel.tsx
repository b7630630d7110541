import { SegmentedControl } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useGiven } from '../../../lib/reach.ts'
import { AddressNote } from '../../../ui/AddressNote.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import styles from './Slicers.module.css'

const SLICERS = ['OrcaSlicer', 'PrusaSlicer', 'Cura'] as const
type Slicer = (typeof SLICERS)[number]

/** How each slicer is set up, step by step, with what is to be typed there. */
export function GuidePanel() {
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
      <p className={styles.soft}>{t('guide.orca.print')}</p>
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
      <p className={styles.soft}>{t('guide.prusa.others')}</p>
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
        <span className={styles.soft}>
          {t('guide.cura.rest', { port: port || (isSecure ? '443' : '80'), path: pathname })}{' '}
          {t(isSecure ? 'guide.cura.https' : 'guide.cura.http')}
        </span>
      </li>
      <li>{t('guide.cura.key')}</li>
      <li>{t('guide.cura.send')}</li>
    </Steps>
  )
}
