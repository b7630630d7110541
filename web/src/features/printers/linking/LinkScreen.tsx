import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { LinkFrame, VerificationCode } from '@vigil/contract/printers/linking.ts'
import { useRef, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePlace, useQueryValues } from '../../../lib/address.ts'
import { useMessages } from '../../../lib/catalogue.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { pathOfPage, useGiven } from '../../../lib/reach.ts'
import { openSocket } from '../../../lib/socket.ts'
import { AddressNote } from '../../../ui/AddressNote.tsx'
import { GoTo } from '../../../ui/GoTo.tsx'
import { Failed } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { QrCode } from '../../../ui/QrCode.tsx'
import { CodePanel } from './CodePanel.tsx'
import { DiscoveryPanel } from './DiscoveryPanel.tsx'
import { codeQuery, type DiscoveryState } from './linking.api.ts'
import { PasscodePanel } from './PasscodePanel.tsx'
import { readDisplay, readPrinterId, readTarget } from './targets.ts'
import styles from './Wizard.module.css'
import { WizardFrame } from './WizardFrame.tsx'

/** Three ways to the same link, the likeliest first: a passcode, found on the network, or six digits. */
export default function LinkScreen() {
  const { t } = useTranslation('linking')
  const message = useMessages()
  const place = usePlace('target') ?? ''
  const target = readTarget(place)
  const search = useQueryValues()
  const printerId = readPrinterId(search)
  const hand = useRef<HTMLDivElement>(null)
  const { data: code, error, refetch } = useQuery(codeQuery(printerId))

  const line = useLinkLine(code, printerId)

  const linked = line.linked ?? (code?.verified_at ? code.printer?.id : null)
  if (linked) return <GoTo to={paths.wizardSuccess(linked)} search={onlyTunnel(search)} />

  const problem = problemOf(error)
  const isGone = printerId !== null && problem.kind === 'missing'
  const isOctoPrint = target === 'octoprint'
  const byCode = <CodePanel ref={hand} code={code ?? null} target={target} />
  const back = { to: paths.wizardGuide(place), search, label: t('backToGuide') }
  return (
    <WizardFrame step={2} title={printerId === null ? t('link.title') : t('titleAgain')} back={back}>
      {!code && error ? (
        <Failed
          title={isGone ? message('printerNotFound') : t('link.failed')}
          problem={problem}
          onRetry={() => void refetch()}
        />
      ) : (
        <div className={styles.ways}>
          {isOctoPrint ? (
            byCode
          ) : (
            <div className={styles.wide}>
              <PasscodePanel
                code={code?.code ?? null}
                initial={search['one_time_passcode'] ?? ''}
                display={readDisplay(search)}
              />
            </div>
          )}
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
      <div className={styles.phone}>
        <QrCode text={given.address + pathOfPage()} label={t('phone.code')} />
        <p className={styles.hint}>{t('phone.lead')}</p>
      </div>
    </Panel>
  )
}

/**
 * Hears at once that the code was used, or that it has run out. The owner is at the printer then, so it listens in
 * the background too; the poll of the code stays as the fall-back.
 */
function useLinkLine(code: VerificationCode | undefined, printerId: number | null) {
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
        else void client.invalidateQueries({ queryKey: codeQuery(printerId).queryKey })
      },
    })
    return () => line.close()
  }, [client, id, printerId])

  return { linked, discovery }
}
