import { Alert, Button, Loader, Progress, Skeleton } from '@mantine/core'
import { IconAlertCircle, IconCamera } from '@tabler/icons-react'
import { useTranslation } from '../../src/lib/translation.ts'
import { Brand } from '../../src/ui/Brand.tsx'
import { Gauge, MiniGauge } from '../../src/ui/Gauge.tsx'
import { Failed, Notice } from '../../src/ui/Notice.tsx'
import { PageHeader } from '../../src/ui/PageHeader.tsx'
import { Panel } from '../../src/ui/Panel.tsx'
import { PictureTag } from '../../src/ui/PictureTag.tsx'
import { QrCode } from '../../src/ui/QrCode.tsx'
import { Snapshot } from '../../src/ui/Snapshot.tsx'
import { type Shape, StatusPill, type Tone } from '../../src/ui/StatusMark.tsx'
import { Steps } from '../../src/ui/Steps.tsx'
import { Ago } from '../../src/ui/time.tsx'
import { scene } from '../scene.ts'
import styles from './Gallery.module.css'
import { Part } from './Part.tsx'

const SHAPES: [Shape, Tone][] = [
  ['dot', 'good'],
  ['ring', 'accent'],
  ['bars', 'warn'],
  ['triangle', 'bad'],
  ['hollow', 'quiet'],
  ['cross', 'bad'],
]
const picture = `data:image/svg+xml,${encodeURIComponent(scene({ color: '#3f7fc4', layers: 12 }))}`
const upright = { flipH: false, flipV: false, rotation: 0, ratio: 16 / 9 } as const

const EARLIER = Date.now() - 125_000

/** What is only looked at. */
export function Showing() {
  const { t } = useTranslation(['printers', 'common', 'settings'])
  return (
    <>
      <Part name="StatusMark, StatusPill">
        {SHAPES.map(([shape, tone]) => (
          <StatusPill key={shape} shape={shape} tone={tone}>
            {shape} {tone}
          </StatusPill>
        ))}
        {SHAPES.map(([shape, tone]) => (
          <StatusPill key={shape} shape={shape} tone={tone} onPicture>
            {shape} {tone}
          </StatusPill>
        ))}
      </Part>
      <Part name="Gauge, MiniGauge">
        {[null, 0, 0.2, 0.5, 0.9, 1].map((value) => (
          <Gauge key={value} value={value} label={String(value)} />
        ))}
        {[null, 0, 0.2, 0.5, 0.9, 1].map((value) => (
          <MiniGauge key={value} value={value} />
        ))}
      </Part>
      <Part name="Panel, Alert">
        {(['plain', 'warn', 'bad'] as const).map((tone) => (
          <div key={tone} className={styles.wide}>
            <Panel title={t('job.title')} aside={tone} tone={tone}>
              {t('job.readyHint')}
            </Panel>
          </div>
        ))}
        {(['accent', 'good', 'warn', 'bad'] as const).map((color) => (
          <Alert
            key={color}
            color={color}
            className={styles.wide}
            icon={<IconAlertCircle size={18} />}
            title={color}
          >
            {t('job.readyHint')}
          </Alert>
        ))}
      </Part>
      <Part name="Notice, Failed">
        <div className={styles.wide}>
          <Notice
            picture={<IconCamera size={44} stroke={1.25} />}
            title={t('list.emptyTitle')}
            actions={<Button variant="filled">{t('list.emptyAction')}</Button>}
          >
            {t('list.emptyText')}
          </Notice>
        </div>
        <div className={styles.wide}>
          <Failed title={t('list.failed')} problem={{ kind: 'offline' }} onRetry={() => {}} />
        </div>
      </Part>
      <Part name="PageHeader, Steps, Brand, QrCode, Ago">
        <div className={styles.row}>
          <PageHeader
            title="Voron 2.4"
            note={t('control.agentName.unknown')}
            back={{ to: '/dev/gallery/', label: t('control.back') }}
            actions={<Button>{t('control.settings')}</Button>}
          />
          <Steps
            label="Steps"
            current={1}
            steps={['pause', 'resume', 'cancel'].map((one) => t(`${one}.button` as 'pause.button'))}
          />
        </div>
        <Brand />
        <QrCode text="http://127.0.0.1/gallery" label="QR code" />
        <Ago at={EARLIER} />
      </Part>
      <Part name="Snapshot, PictureTag">
        {(['live', 'stale', 'turned', 'empty'] as const).map((kind) => (
          <div key={kind} className={styles.wide}>
            <Snapshot
              src={kind === 'empty' ? null : picture}
              alt={kind}
              stale={kind === 'stale'}
              orientation={kind === 'turned' ? { ...upright, rotation: 90, ratio: 9 / 16 } : upright}
              topLeft={
                <StatusPill shape="ring" tone="accent" onPicture>
                  {kind}
                </StatusPill>
              }
              bottomRight={<PictureTag>{t('common:justNow')}</PictureTag>}
              empty={t('list.emptyTitle')}
            />
          </div>
        ))}
      </Part>
      <Part name="Progress, Loader, Skeleton">
        {[0, 40, 100].map((value) => (
          <Progress key={value} className={styles.wide} value={value} aria-label={t('progress')} />
        ))}
        <Progress className={styles.wide} value={60} color="bad" aria-label={t('progress')} />
        <Loader size={20} role="img" aria-label={t('common:loading')} />
        <Skeleton className={styles.wide} height={16} />
      </Part>
    </>
  )
}
