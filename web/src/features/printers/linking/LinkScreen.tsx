import { Box, Group, Skeleton } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { LinkFrame, VerificationCode } from '@vigil/contract/printers/linking.ts'
import { useRef, useEffect, useState, type Ref } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { usePlace, useQueryValues } from '../../../lib/address.ts'
import { useMessages } from '../../../lib/catalogue.ts'
import { useNow } from '../../../lib/clock.ts'
import { problemOf } from '../../../lib/errors.ts'
import { ms } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { pathOfPage, useGiven } from '../../../lib/reach.ts'
import { openSocket } from '../../../lib/socket.ts'
import { toast } from '../../../lib/toast.ts'
import { AddressNote } from '../../../ui/AddressNote.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { GoTo } from '../../../ui/GoTo.tsx'
import { Failed } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { QrCode } from '../../../ui/QrCode.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import { DiscoveryPanel } from './DiscoveryPanel.tsx'
import { codeQuery, type DiscoveryState, type Linking } from './linking.api.ts'
import { PasscodePanel } from './PasscodePanel.tsx'
import { readDisplay, readPrinterId, readTarget, type Target } from './targets.ts'
import shared from '../../../ui/shared.module.css'
import styles from './Wizard.module.css'
import { WhosePrinter } from './WhosePrinter.tsx'
import { WizardFrame } from './WizardFrame.tsx'

/** An agent that asks for no code is older (docs/rules/pages.md 3). */
const SINCE = { octoprint: '2.5.0', klipper: '1.6.0' }

interface CodePanelProps {
  code: VerificationCode | null
  target: Target
  /** Takes the focus when another way has failed. */
  ref: Ref<HTMLDivElement>
}

/** The six digits, how long they hold, and where to type them. */
function CodePanel({ code, target, ref }: CodePanelProps) {
  const { t } = useTranslation('linking')
  const agent = target === 'octoprint' ? 'octoprint' : 'klipper'
  useCopyKey(code?.code)
  const now = useNow()
  const { duration } = useTimeText()
  const leftS = code ? ((ms(code.expired_at) ?? now) - now) / 1000 : 0
  return (
    <Panel title={t('code.title')}>
      <p>{t(`code.where.${agent}`)}</p>
      <Group gap={12} justify="space-between" m="14px 0 8px" ref={ref} tabIndex={-1}>
        {code ? (
          <Box component="span" fz={34} lh={1.2} fw={650} lts="0.08em" data-testid="link-code">
            {code.code}
          </Box>
        ) : (
          <Skeleton width={190} height={41} />
        )}
        {code && <CopyButton text={code.code} label={t('copy')} />}
      </Group>
      <p className={styles.small} role="status">
        {code && leftS > 0 ? t('code.expires', { duration: duration(leftS) }) : t('code.renewing')}
      </p>
      <p className={styles.small}>{t('code.waiting')}</p>
      <p className={styles.small}>{t(`code.since.${agent}`, { version: SINCE[agent] })}</p>
    </Panel>
  )
}

/** Copying where nothing is chosen copies the code (docs/rules/pages.md 2). */
function useCopyKey(code: string | undefined): void {
  const copied = useMessages()('copied')
  useEffect(() => {
    if (!code) return undefined
    const listen = (event: ClipboardEvent) => {
      const isElsewhere =
        event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement
      if (isElsewhere || !getSelection()?.isCollapsed) return
      event.clipboardData?.setData('text/plain', code)
      event.preventDefault()
      toast(copied, 'done')
    }
    document.addEventListener('copy', listen)
    return () => document.removeEventListener('copy', listen)
  }, [code, copied])
}

/** Three ways to the same link, the likeliest first: a passcode, found on the network, or six digits. */
export default function LinkScreen() {
  const { t } = useTranslation('linking')
  const message = useMessages()
  const place = usePlace('target') ?? ''
  const target = readTarget(place)
  const search = useQueryValues()
  const printerId = readPrinterId(search)
  const hand = useRef<HTMLDivElement>(null)
  const [account, setAccount] = useState<number | null>(null)
  const linking = { printerId, account }
  const { data: code, error, refetch } = useQuery(codeQuery(linking))

  const line = useLinkLine(code, linking)

  const linked = line.linked ?? (code?.verified_at ? code.printer?.id : null)
  if (linked) return <GoTo to={paths.wizardSuccess(linked)} search={onlyTunnel(search)} />

  const problem = problemOf(error)
  const isGone = printerId !== null && problem.kind === 'missing'
  const isOctoPrint = target === 'octoprint'
  const byCode = <CodePanel ref={hand} code={code ?? null} target={target} />
  const back = { to: paths.wizardGuide(place), search, label: t('backToGuide') }
  return (
    <WizardFrame step={2} title={printerId === null ? t('link.title') : t('titleAgain')} back={back}>
      {printerId === null && <WhosePrinter account={account} onAccount={setAccount} />}
      {!code && error ? (
        <Failed
          title={isGone ? message('printerNotFound') : t('link.failed')}
          problem={problem}
          onRetry={() => void refetch()}
        />
      ) : (
        <div className={styles.ways}>
          {isOctoPrint ? byCode : <ByPasscode code={code?.code ?? null} search={search} />}
          <DiscoveryPanel
            code={code?.code ?? null}
            state={line.discovery}
            onByHand={() => hand.current?.focus()}
          />
          {!isOctoPrint && byCode}
          <div className={styles.elsewhere}>
            <PhonePanel />
          </div>
        </div>
      )}
    </WizardFrame>
  )
}

function onlyTunnel(search: Record<string, string>): Record<string, string> {
  const next = search['redirectToTunnelCreation']
  return next ? { redirectToTunnelCreation: next } : {}
}

/** The same page on a phone, held to the printer's screen. */
function PhonePanel() {
  const { t } = useTranslation('linking')
  const given = useGiven('network')
  return (
    <Panel title={t('phone.title')}>
      <AddressNote given={given} />
      <Group gap={18} wrap="nowrap">
        <QrCode text={given.address + pathOfPage()} label={t('phone.code')} />
        <p className={shared.soft}>{t('phone.lead')}</p>
      </Group>
    </Panel>
  )
}

/**
 * Hears at once that the code was used, or that it has run out. The owner is at the printer then, so it listens in
 * the background too; the poll of the code stays as the fall-back.
 */
function useLinkLine(code: VerificationCode | undefined, { printerId, account }: Linking) {
  const client = useQueryClient()
  const [linked, setLinked] = useState<number | null>(null)
  const [discovery, setDiscovery] = useState<DiscoveryState | null>(null)
  const id = code && !code.verified_at ? code.id : null

  useEffect(() => {
    if (id === null) return undefined
    const line = openSocket(`/ws/link/${id}/`, {
      background: true,
      onMessage: (message) => {
        const frame = message as LinkFrame | null
        if (!frame || typeof frame !== 'object') return
        if ('waiting' in frame) {
          setDiscovery(frame.discovery)
          return
        }
        // Its last word: the server closes, and it isn't opened again.
        line.close()
        if ('verified_at' in frame && frame.printer) setLinked(frame.printer.id)
        else void client.invalidateQueries({ queryKey: codeQuery({ printerId, account }).queryKey })
      },
    })
    return () => line.close()
  }, [client, id, printerId, account])

  return { linked, discovery }
}

function ByPasscode({ code, search }: { code: string | null; search: Record<string, string> }) {
  return (
    <div className={styles.wide}>
      <PasscodePanel code={code} initial={search['one_time_passcode'] ?? ''} display={readDisplay(search)} />
    </div>
  )
}
