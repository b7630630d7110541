import { Button, Checkbox, Flex, SegmentedControl, Skeleton } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { GcodeView } from '../../../gcode/index.ts'
import { serverUrl } from '../../../lib/base.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { bootstrapQuery } from '../../../lib/session.ts'
import { Failed, Notice } from '../../../ui/Notice.tsx'
import { engineQuery, slicedQuery } from '../../slice/slicing/index.ts'
import { Bench } from './bench.ts'
import { installFirst } from './catalogue.ts'
import { ChatFrame } from './ChatFrame.tsx'
import styles from './Host.module.css'
import { PlatePane } from './PlatePane.tsx'
import { PresetPane } from './PresetPane.tsx'
import { slicePlate } from './slice.ts'
import { arrangeAll } from './solid.ts'
import { Wire } from './wire.ts'
import { Wizard } from './Wizard.tsx'

/** A page that plays the desktop slicer around the chat: with presets and engine of this server, for who tries or tests it. */
export default function HostScreen() {
  const { t } = useTranslation('assistant')
  const { data: known } = useQuery(bootstrapQuery)
  const isMember = Boolean(known?.user)
  const { data: engine } = useQuery({ ...engineQuery, enabled: isMember })
  if (known && !isMember)
    return (
      <main>
        <Notice
          whole
          title={t('host.title')}
          actions={
            <Button component="a" variant="filled" href={serverUrl('/accounts/login/?next=/jusprin/host/')}>
              {t('host.toSignIn')}
            </Button>
          }
        >
          <p>{t('host.signIn')}</p>
        </Notice>
      </main>
    )
  if (engine?.name === null)
    return (
      <main>
        <Notice whole title={t('host.title')}>
          <p>{t('host.noEngine')}</p>
        </Notice>
      </main>
    )
  return engine ? <Slicer /> : <Skeleton h={400} />
}

function useBench() {
  const client = useQueryClient()
  const [bench] = useState(() => new Bench())
  const state = useSyncExternalStore(bench.watch, bench.state)
  const { data: file } = useQuery({ ...slicedQuery(state.fileId ?? 0), enabled: state.fileId !== null })
  const first = useQuery({
    queryKey: ['simulated-slicer'],
    queryFn: () => installFirst(bench, client),
    staleTime: Infinity,
    retry: false,
  })
  return { bench, state, file, first }
}

function Slicer() {
  const { t } = useTranslation('assistant')
  const { bench, state, file, first } = useBench()
  const [wire] = useState(() => new Wire(bench))
  useEffect(() => wire.tellModels(), [wire, state.models])
  if (first.error)
    return (
      <Failed
        whole
        title={t('host.failed')}
        problem={problemOf(first.error)}
        onRetry={() => void first.refetch()}
      />
    )
  const { panel, isPreview, fileId } = state
  return (
    <div className={styles.page} data-panel={panel.isVisible ? panel.mode : 'none'}>
      <main className={styles.main}>
        <header className={styles.header}>
          <h1>{t('host.title')}</h1>
          <p>{t('host.lead')}</p>
        </header>
        <Toolbar bench={bench} wire={wire} />
        {isPreview && file?.url ? (
          <GcodeView url={file.url} bedArea={null} />
        ) : (
          <PlatePane bench={bench} state={state} />
        )}
        {fileId !== null && (
          <p>
            <a href={serverUrl(paths.file(fileId))} target="_blank" rel="noreferrer">
              {t('host.file')}
            </a>
            {state.exported && <> · {t('host.export', { name: state.exported })}</>}
          </p>
        )}
        {state.isBlocked && <p role="alert">{t('host.popUpBlocked')}</p>}
        <PresetPane bench={bench} state={state} />
        <details className={styles.log}>
          <summary>{t('host.log')}</summary>
          <pre>{state.log.join('\n')}</pre>
        </details>
      </main>
      {first.data !== undefined && <ChatFrame wire={wire} isOld={state.isOld} isVisible={panel.isVisible} />}
      {state.wizard && <Wizard bench={bench} wizard={state.wizard} onClose={() => wire.endWizard()} />}
    </div>
  )
}

/** What the slicer's own buttons do, and what can be played of it. */
function Toolbar({ bench, wire }: { bench: Bench; wire: Wire }) {
  const { t } = useTranslation('assistant')
  const { models, before, slicing } = bench.state()
  const push = (level: 'error' | 'warning') =>
    wire.tell('notificationPushed', { level, text: `${t(`host.${level}`)}: ${t('host.nothing')}` })
  const isEmpty = models.length === 0
  return (
    <Flex align="center" wrap="wrap" gap={8}>
      <Button
        variant="filled"
        disabled={isEmpty || slicing !== null}
        onClick={() => void slicePlate(bench, wire.tell, undefined)}
      >
        {t('host.slice')}
      </Button>
      <Button disabled={isEmpty} onClick={() => wire.orient()}>
        {t('host.orient')}
      </Button>
      <Button disabled={isEmpty} onClick={() => arrangeAll(bench)}>
        {t('host.arrange')}
      </Button>
      <Button disabled={before.length === 0} onClick={() => bench.undo()}>
        {t('host.undo')}
      </Button>
      <Button onClick={() => push('error')}>{t('host.error')}</Button>
      <Button onClick={() => push('warning')}>{t('host.warning')}</Button>
      <PanelTools bench={bench} wire={wire} />
    </Flex>
  )
}

/** How the slicer shows the chat. */
function PanelTools({ bench, wire }: { bench: Bench; wire: Wire }) {
  const { t } = useTranslation('assistant')
  const { panel, badges, isOld } = bench.state()
  return (
    <>
      <Button
        aria-pressed={panel.isVisible}
        onClick={() => {
          bench.set({ panel: { ...panel, isVisible: !panel.isVisible } })
          wire.tell('chatPanelFocus', { focusEventType: panel.isVisible ? 'out_of_focus' : 'in_focus' })
        }}
      >
        {t('host.panel')}
        <Badges {...badges} />
      </Button>
      <SegmentedControl
        size="xs"
        aria-label={t('host.size')}
        value={panel.mode}
        data={(['small', 'large'] as const).map((value) => ({ value, label: t(value) }))}
        onChange={(mode) => bench.set({ panel: { ...panel, mode: mode === 'large' ? 'large' : 'small' } })}
      />
      <Checkbox
        label={t('host.old')}
        checked={isOld}
        onChange={({ currentTarget }) => bench.set({ isOld: currentTarget.checked })}
      />
    </>
  )
}

function Badges({ red, orange, green }: { red: number; orange: number; green: number }) {
  const all = { red, orange, green }
  return (['red', 'orange', 'green'] as const).map(
    (tone) =>
      all[tone] > 0 && (
        <span key={tone} className={styles.badge} data-tone={tone} data-testid={`badge-${tone}`}>
          {all[tone]}
        </span>
      ),
  )
}
