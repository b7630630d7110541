import type { Announcement } from '@vigil/contract/printers/linking.ts'
import { createElement, type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMessages } from '../../../lib/catalogue.ts'
import { toast } from '../../../lib/toast.ts'
import { ask } from '../../../ui/confirm.tsx'
import { HandshakeChecklist } from './HandshakeChecklist.tsx'
import { grabSecret } from './handshake.ts'
import { sendSecret } from './linking.api.ts'

/** After the secret was sent, the printer has this long to link itself (docs/rules/pages.md 1). */
const FOLLOW_UP_MS = 20_000

/** Links a printer found on the network; what goes wrong says why and leads to the six digits. */
export function useAutoLink(code: string | null, onByHand: () => void) {
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
