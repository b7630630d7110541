import type { Printer } from '@vigil/contract/printers.ts'
import { useEffect, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { report } from '../../lib/report.ts'
import { readStored, subscribeStored, writeStored } from '../../lib/stored.ts'
import { ask } from '../../ui/confirm.tsx'
import { readStatus } from './status.ts'
import { isTransitionName, judge, patienceMs, type Transition, type TransitionName } from './transition.ts'

const nameKey = (id: number) => `printer-${id}-state-transitioning-name`
const untilKey = (id: number) => `printer-${id}-state-transitioning-timeout`

function read(id: number): Transition | null {
  const name = readStored(nameKey(id))
  const until = Number(readStored(untilKey(id)))
  return isTransitionName(name) && until > 0 ? { name, until } : null
}

/** A command was taken, and nothing came of it: the one trouble of a printer that operators hear of. */
class PrinterNotResponding extends Error {
  override readonly name = 'PrinterNotResponding'
}

/** Remembers across reloads that a command is on its way (keys of api-contract 11.4). */
export function beginTransition(printer: Printer, name: TransitionName): void {
  writeStored(
    untilKey(printer.id),
    String(Date.now() + patienceMs(printer.agent_name, printer.agent_version)),
  )
  writeStored(nameKey(printer.id), name)
}

export function endTransition(id: number): void {
  if (readStored(nameKey(id)) === null) return
  writeStored(nameKey(id), null)
  writeStored(untilKey(id), null)
}

/** The name of the state a printer is on its way to, until it says so or doesn't answer. */
export function useTransition(printer: Printer): TransitionName | null {
  const { t } = useTranslation('printers')
  const { id } = printer
  const name = useSyncExternalStore(subscribeStored, () => read(id)?.name ?? null)
  const reported = readStatus(printer)?.text ?? null

  useEffect(() => {
    const transition = read(id)
    if (!name || !transition) return undefined
    const verdict = judge(transition, reported, Date.now())
    if (verdict === 'done') {
      endTransition(id)
      return undefined
    }
    const timer = setTimeout(
      () => {
        endTransition(id)
        report(new PrinterNotResponding())
        void ask({
          title: t('notResponding.title'),
          text: t('notResponding.text'),
          choices: [],
          dismiss: t('notResponding.dismiss'),
        }).then(() => location.reload())
      },
      Math.max(0, transition.until - Date.now()),
    )
    return () => clearTimeout(timer)
  }, [id, name, reported, t])

  return name
}
