import { ActionIcon, Box, Button, Center, Checkbox, Group } from '@mantine/core'
import { IconArrowsMaximize, IconArrowsMinimize, IconChevronLeft, IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { useId } from '../../../lib/address.ts'
import { serverUrl } from '../../../lib/base.ts'
import { paths } from '../../../lib/paths.ts'
import { useStoredChoice } from '../../../lib/stored.ts'
import { neededFor } from '../../../printer/driver/versions.ts'
import { useLive } from '../../../printer/live/printer-line.ts'
import { NoPrinter } from '../../../printer/NoPrinter.tsx'
import { printerQuery } from '../../../printer/printers.api.ts'
import { StatePill } from '../../../printer/StatePill.tsx'
import { usePrinterTab } from '../../../printer/tab.ts'
import { useTransition } from '../../../printer/useTransition.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { useFullScreen } from '../../../ui/useFullScreen.ts'
import shared from '../../../ui/shared.module.css'
import styles from './Tunnel.module.css'
import { tunnelUsageQuery } from '../../shop/usage/index.ts'
import { type Hurdle, hurdleOf, UsagePanel } from './UsagePanel.tsx'
import { usePageName } from './usePageName.ts'

/** A printer's own page, framed: OctoPrint, Mainsail or Fluidd, from anywhere. */
export default function TunnelScreen() {
  const { t } = useTranslation(['tunnels', 'printers', 'common'])
  const id = useId()
  const { data: printer, error, isPending, refetch } = useQuery(printerQuery(id))
  const isLoadedHere = useRealLoad()

  if (printer && isLoadedHere) return <Viewer printer={printer} />
  if (isPending || !isLoadedHere)
    return <div role="status" aria-busy="true" aria-label={t('common:loading')} />
  return <NoPrinter error={error} onRetry={refetch} />
}

/** The address that this browser has loaded: its policy names what may be framed. */
const loadedPath = location.pathname

/** Whoever came here from another page of ours loads this one, as the other's policy knows nothing of the printer's page. */
function useRealLoad(): boolean {
  const isOwn = loadedPath === location.pathname
  useEffect(() => {
    if (!isOwn) location.reload()
  }, [isOwn])
  return isOwn
}

function Viewer({ printer }: { printer: Printer }) {
  const { t } = useTranslation('tunnels')
  useLive(printer.id)
  const place = useRef<HTMLDivElement>(null)
  const { isFull, toggle } = useFullScreen(place)
  const { data: usage, isPending } = useQuery(tunnelUsageQuery)
  const transition = useTransition(printer)
  const page = usePageName(printer)
  const hurdle = hurdleOf(printer, usage)
  const [turn, setTurn] = useState(0)
  usePrinterTab(printer, transition, t('pageTitle', { page, name: printer.name }))
  return (
    <div ref={place} className={styles.viewer} data-full={isFull || undefined}>
      <header className={styles.bar}>
        {/* A real load: the next page has a policy of its own. */}
        <a
          href={serverUrl(paths.control(printer.id))}
          className={styles.back}
          aria-label={t('back', { name: printer.name })}
        >
          <IconChevronLeft size={20} stroke={1.75} aria-hidden />
        </a>
        <h1>
          {printer.name} <small>{page}</small>
        </h1>
        <StatePill printer={printer} transition={transition} />
        <span className={shared.spring} />
        <ActionIcon aria-label={t('reload', { page })} onClick={() => setTurn(turn + 1)}>
          <IconRefresh size={18} stroke={1.75} />
        </ActionIcon>
        <ActionIcon aria-label={t(isFull ? 'fullOff' : 'full')} onClick={toggle}>
          {isFull ? (
            <IconArrowsMinimize size={18} stroke={1.75} />
          ) : (
            <IconArrowsMaximize size={18} stroke={1.75} />
          )}
        </ActionIcon>
      </header>
      <Framed key={turn} printer={printer} page={page} hurdle={hurdle} isKnown={!isPending} />
      {usage && <UsagePanel usage={usage} />}
    </div>
  )
}

interface FramedProps {
  printer: Printer
  page: string
  hurdle: Hurdle | null
  /** Whether it has been looked at how much of the month's data is used. */
  isKnown: boolean
}

/** The frame, or why there is none; what was open stays, and what stands in its way is said above it. */
function Framed({ printer, page, hurdle, isKnown }: FramedProps) {
  const { t } = useTranslation('tunnels')
  const [isOpen, open] = useState(false)
  const [isLoaded, setLoaded] = useState(false)
  if (hurdle === null && isKnown && !isOpen) open(true)
  if (!isOpen && hurdle !== null)
    return (
      <Box component="main" pos="relative" mih={0}>
        <Why hurdle={hurdle} page={page} name={printer.name} />
      </Box>
    )
  return (
    <Box component="main" pos="relative" mih={0} aria-busy={!isLoaded}>
      {hurdle !== null && (
        <p role="status" className={styles.strip}>
          {t(`${hurdle}.title`, { page, name: printer.name })} · {t('again')}
        </p>
      )}
      {!isLoaded && (
        <Center component="p" role="status" pos="absolute" inset={0} p={20} c="dimmed">
          {t('opening', { page })}
        </Center>
      )}
      {/* What is framed comes from the printer's own computer: it may not lead this window anywhere. */}
      {isOpen && (
        <iframe
          title={t('pageTitle', { page, name: printer.name })}
          src={serverUrl(`/octoprint/${printer.id}/`)}
          className={styles.frame}
          sandbox="allow-scripts allow-same-origin allow-forms allow-modals allow-popups allow-downloads"
          allow="fullscreen; clipboard-write"
          referrerPolicy="no-referrer"
          onLoad={() => setLoaded(true)}
        />
      )}
      <SlowNotice page={page} />
    </Box>
  )
}

function Why({ hurdle, page, name }: { hurdle: Hurdle; page: string; name: string }) {
  const { t } = useTranslation('tunnels')
  return (
    <Notice title={t(`${hurdle}.title`, { page, name })}>
      <p>{t(`${hurdle}.text`, { page, name, ...neededFor('tunnel') })}</p>
      <p role="status">{t('again')}</p>
    </Notice>
  )
}

/** The printer's page takes longer than at home: said until somebody has had enough of it (docs/wire/browsers.md 4). */
function SlowNotice({ page }: { page: string }) {
  const { t } = useTranslation('tunnels')
  const [skip, setSkip] = useStoredChoice('skip-tunneling-warning', ['true', 'false'], 'false')
  const [isClosed, close] = useState(false)
  const [never, setNever] = useState(false)
  if (skip === 'true' || isClosed) return null
  return (
    <aside className={styles.slow} aria-label={t('slow.title')}>
      <strong>{t('slow.title')}</strong>
      <p>{t('slow.text', { page })}</p>
      <Group gap={10} justify="space-between" mt={4}>
        <Checkbox
          label={t('slow.never')}
          checked={never}
          onChange={(event) => setNever(event.currentTarget.checked)}
        />
        <Button
          size="xs"
          onClick={() => {
            if (never) setSkip('true')
            close(true)
          }}
        >
          {t('slow.ok')}
        </Button>
      </Group>
    </aside>
  )
}
