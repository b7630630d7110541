import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useCallback } from 'react'
import { useTranslation } from '../../lib/translation.ts'
import { toast } from '../../lib/toast.ts'
import { listenLive } from '../live/browser-line.ts'
import { sendData } from '../live/data-line.ts'
import { sendLive } from '../live/printer-line.ts'
import type { Call, Driver } from './driver.ts'
import { driverOf } from './driver-of.ts'
import { ask, CallRefused, hearAnswer } from './passthru.ts'

listenLive((_, message) => hearAnswer(message))

/** What came of a call. A failure was told already, unless `quiet`; `words` is what there is to say of it. */
export type Outcome = { done: true; ret: unknown } | { done: false; words: string }

export interface Speaker {
  driver: Driver
  /** Asks, and tells a failure. `tell`: says that it was sent, too. */
  run: (call: Call, options?: { tell?: boolean; quiet?: boolean }) => Promise<Outcome>
}

/** Over the server, which checks it; over the printer's data channel as well, by the same `ref`: agents do it once. */
function say(id: number, message: unknown): boolean {
  const isSent = sendLive(id, message)
  if (isSent) sendData(id, message)
  return isSent
}

/** How this page speaks with a printer: its driver, and a way to send what the driver says. */
export function useDriver(printer: Pick<Printer, 'id' | 'agent_name'>): Speaker {
  const { t } = useTranslation('widgets')
  const { id } = printer
  const run = useCallback<Speaker['run']>(
    async (call, { tell = false, quiet = false } = {}) => {
      try {
        const ret = await ask((message) => say(id, message), call)
        if (tell) toast(t('call.sent'), 'done', null, 'call-sent')
        return { done: true, ret }
      } catch (error) {
        const why = error instanceof CallRefused ? error : null
        const words = why?.code ? t(`call.${why.code}`) : why?.message || t('call.failed')
        if (!quiet) toast(words, 'failed', null, `call-${words}`)
        return { done: false, words }
      }
    },
    [id, t],
  )
  return { driver: driverOf(printer), run }
}
