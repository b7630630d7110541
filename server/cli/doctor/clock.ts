import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Config } from '../../config.ts'
import { othersClocks } from './clocks.ts'
import { broken, doubtful, type Finding, fine } from './finding.ts'

/** Nothing that was written by this version can be older. */
const RELEASED = Date.UTC(2026, 10, 1)
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** Sessions, links and the watching of prints depend on the clock: it must be right, and agree with the others'. */
export async function checkClock(config: Config): Promise<Finding> {
  const now = new Date()
  if (now.getTime() < RELEASED) {
    return broken(`The clock says ${now.toISOString()}, which is past.`, 'Set the clock, and switch on NTP.')
  }
  for (const { whose, aheadMs, toleranceMs } of await othersClocks(config)) {
    if (Math.abs(aheadMs) <= toleranceMs) continue
    const found = `This machine's clock is ${inWords(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'} ${whose}.`
    return broken(found, 'Set the clock, and switch on NTP on both.')
  }
  if ((await isSynchronized()) === false) {
    return doubtful(
      `${now.toISOString()}; no NTP server keeps it right.`,
      'Switch it on: timedatectl set-ntp true',
    )
  }
  return fine(`${now.toISOString()}, time zone ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`)
}

function inWords(ms: number): string {
  if (ms >= 2 * DAY) return `${Math.floor(ms / DAY)} days`
  return ms >= 2 * MINUTE ? `${Math.floor(ms / MINUTE)} minutes` : `${(ms / 1000).toFixed(1)} s`
}

/** Null where nobody can say. */
async function isSynchronized(): Promise<boolean | null> {
  try {
    const { stdout } = await promisify(execFile)(
      'timedatectl',
      ['show', '--property=NTPSynchronized', '--value'],
      {
        timeout: 3_000,
      },
    )
    return stdout.trim() === '' ? null : stdout.trim() === 'yes'
  } catch {
    return null
  }
}
