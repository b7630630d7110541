import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { useTranslation } from '../lib/translation.ts'
import { report } from '../lib/report.ts'
import { subscribeStored } from '../lib/stored.ts'
import { ask } from '../ui/confirm.tsx'
import { cameAbout } from './came-about.ts'
import { readStatus } from './status.ts'
import { judge, type TransitionName } from './transition.ts'
import { endTransition, readTransition } from './transition-store.ts'

/** A command was taken, and nothing came of it: the one trouble of a printer that operators hear of. */
class PrinterNotResponding extends Error {
  override readonly name = 'PrinterNotResponding'
}

/** The name of the state a printer is on its way to, until it says so or doesn't answer. */
export function useTransition(printer: Printer): TransitionName | null {
  const { t } = useTranslation('printers')
  const { id } = printer
  const name = useSyncExternalStore(subscribeStored, () => readTransition(id)?.name ?? null)
  const reported = readStatus(printer)?.text ?? null
  const latest = useRef(printer)
  latest.current = printer

  useEffect(() => {
    const transition = readTransition(id)
    if (!name || !transition) return undefined
    const verdict = judge(transition, reported, Date.now())
    if (verdict === 'done') {
      endTransition(id)
      return undefined
    }
    const timer = setTimeout(
      () => {
        endTransition(id)
        void cameAbout(latest.current, transition).then(async (done) => {
          if (done) return
          report(new PrinterNotResponding())
          await ask({
            title: t('notResponding.title'),
            text: t('notResponding.text'),
            choices: [],
            dismiss: t('notResponding.dismiss'),
          })
          location.reload()
        })
      },
      Math.max(0, transition.until - Date.now()),
    )
    return () => clearTimeout(timer)
  }, [id, name, reported, t])

  return name
}
