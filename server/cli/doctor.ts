import type { Config } from '../config.ts'
import { type Command, explain, FAILED, loadConfig, OK, print, readArgs, UsageError } from './command.ts'
import { checkClock } from './doctor/clock.ts'
import { checkDatabase } from './doctor/database.ts'
import { checkDisk, checkFolder } from './doctor/folder.ts'
import { checkPort, checkWebsocket } from './doctor/network.ts'
import { checkFfmpeg, checkModel } from './doctor/programs.ts'
import type { Check, Finding } from './doctor/finding.ts'

const help = `Checks the installation and explains each finding: database, folder rights, disk, port, ffmpeg, detector
model, its own websocket, clock.

  ./vigil doctor [--json]

--json prints one object: ok, and checks as {name, state, found, advice}, where state is "ok", "warn" or "fail".
Exit code 1 when something fails. It changes nothing, and works whether the server runs or not.`

const OPTIONS = { json: { type: 'boolean', default: false } } as const

const CHECKS: readonly (readonly [string, Check])[] = [
  ['folder', checkFolder],
  ['disk', checkDisk],
  ['database', checkDatabase],
  ['clock', checkClock],
  ['model', checkModel],
  ['ffmpeg', checkFfmpeg],
  ['port', checkPort],
  ['websocket', checkWebsocket],
]

export const doctor: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArgs(args, OPTIONS)
    if (positionals.length > 0) throw new UsageError('doctor takes no words.')
    const config = loadConfig()
    const checks: (Finding & { name: string })[] = []
    for (const [name, check] of CHECKS) {
      const finding = { name, ...(await attempt(check, config)) }
      checks.push(finding)
      if (!values.json) show(finding)
    }
    const ok = checks.every(({ state }) => state !== 'fail')
    if (values.json) print({ ok, checks })
    else print(ok ? '\nVigil can work here.' : '\nSomething above must be mended first.')
    return ok ? OK : FAILED
  },
}

async function attempt(check: Check, config: Config): Promise<Finding> {
  try {
    return await check(config)
  } catch (error) {
    return { state: 'fail', found: explain(error) ?? (error as Error).message, advice: null }
  }
}

const SIGNS = { ok: ' ok ', warn: 'warn', fail: 'FAIL' } as const

function show({ name, state, found, advice }: Finding & { name: string }): void {
  print(`${SIGNS[state]}  ${name.padEnd(9)}  ${found}`)
  if (advice !== null) print(`${' '.repeat(17)}${advice}`)
}
