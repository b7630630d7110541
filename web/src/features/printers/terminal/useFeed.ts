import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useEffect, useState } from 'react'
import type { SocketState } from '../../../lib/socket.ts'
import { useDriver } from '../../../printer/driver/useDriver.ts'
import { agentCan } from '../../../printer/driver/versions.ts'

export interface Feed {
  /** Null: always on, or not known yet. */
  on: boolean | null
  canToggle: boolean
  /** It shows what was sent from here, too. */
  echoes: boolean
  busy: boolean
  toggle: (on: boolean) => Promise<void>
}

/** Whether the printer sends its lines, where that can be chosen. */
export function useFeed(printer: Printer, line: SocketState): Feed {
  const { driver, run } = useDriver(printer)
  const canToggle = driver.feed !== null && agentCan(printer, 'terminalToggle')
  const [on, setOn] = useState<boolean | null>(null)
  const [busy, setBusy] = useState(false)

  useEffect(() => {
    if (!canToggle || !driver.feed || line !== 'open') return undefined
    let current = true
    void run(driver.feed('get'), { quiet: true }).then((outcome) => {
      if (current && outcome.done && typeof outcome.ret === 'boolean') setOn(outcome.ret)
    })
    return () => {
      current = false
    }
  }, [canToggle, driver, line, run])

  return {
    on: canToggle ? on : null,
    canToggle,
    echoes: driver.feedEchoes && !(canToggle && on === false),
    busy,
    async toggle(next) {
      if (!driver.feed) return
      setBusy(true)
      const outcome = await run(driver.feed(next ? 'on' : 'off'))
      setBusy(false)
      if (outcome.done) setOn(typeof outcome.ret === 'boolean' ? outcome.ret : next)
    },
  }
}
