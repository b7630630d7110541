import type { Printer } from '@vigil/contract/printers/printers.ts'
import { readStored, writeStored } from '../lib/stored.ts'
import { readStatus } from './status.ts'
import { isTransitionName, judge, patienceMs, type Transition, type TransitionName } from './transition.ts'

const nameKey = (id: number) => `printer-${id}-state-transitioning-name`
const untilKey = (id: number) => `printer-${id}-state-transitioning-timeout`

export function readTransition(id: number): Transition | null {
  const name = readStored(nameKey(id))
  const until = Number(readStored(untilKey(id)))
  return isTransitionName(name) && until > 0 ? { name, until } : null
}

/** The state this printer is on its way to now: null once it has come there, or its time is up. */
export function transitionNow(printer: Printer): TransitionName | null {
  const transition = readTransition(printer.id)
  if (!transition) return null
  const reported = readStatus(printer)?.text ?? null
  return judge(transition, reported, Date.now()) === 'waiting' ? transition.name : null
}

/** Remembers across reloads that a command is on its way (keys of docs/wire/browsers.md 4). */
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
