import { writeFile } from 'node:fs/promises'
import { type Config, readConfig } from '../config.ts'
import { explainFailure } from '../failures.ts'
import { type Command, FAILED, OK, print, readArgs, UsageError } from './command.ts'
import { checkBackup } from './doctor/backup.ts'
import { makeBundle } from './doctor/bundle.ts'
import { checkClock } from './doctor/clock.ts'
import { checkDatabase } from './doctor/database.ts'
import { checkFiles, checkLive } from './doctor/engines.ts'
import { checkDisk, checkFolder, checkSecrets } from './doctor/folder.ts'
import { checkLinks } from './doctor/links.ts'
import { checkMail } from './doctor/mail.ts'
import { checkPort, checkWebsocket } from './doctor/network.ts'
import { checkFfmpeg, checkModel, checkSlicer } from './doctor/programs.ts'
import { checkProxy } from './doctor/proxy.ts'
import { checkRelay } from './doctor/relay.ts'
import { checkTunnels } from './doctor/tunnels.ts'
import { checkUpdate } from './doctor/update.ts'
import { checkVideo } from './doctor/video.ts'
import type { Check, Finding } from './doctor/finding.ts'
import { textOf } from '../lib/thrown.ts'

const help = `Checks the installation and explains each finding: folder rights, secrets, disk, stored files or S3,
database, Redis, clock, detector model, ffmpeg, the slicer, port, its own websocket, the proxy before it, where links
lead, mail, whole backups, the STUN and TURN servers of video, whether the server can carry video itself, the ways to
printers' own pages, and whether an update was stopped half-way.

  ./vigil doctor [--json] [--bundle FILE]

--json prints one object: ok, and checks as {name, state, found, advice}, where state is "ok", "warn" or "fail".
--bundle writes a file for who helps: what was found, how Vigil is set up, what PostgreSQL said last; no keys, passwords,
people or names are in it. It must not exist.
Exit code 1 when something fails. It changes nothing, and works whether the server runs or not.`

const OPTIONS = { json: { type: 'boolean', default: false }, bundle: { type: 'string' } } as const

const CHECKS: readonly (readonly [string, Check])[] = [
  ['folder', checkFolder],
  ['secrets', checkSecrets],
  ['disk', checkDisk],
  ['files', checkFiles],
  ['database', checkDatabase],
  ['live', checkLive],
  ['clock', checkClock],
  ['model', checkModel],
  ['ffmpeg', checkFfmpeg],
  ['slicer', checkSlicer],
  ['port', checkPort],
  ['websocket', checkWebsocket],
  ['proxy', checkProxy],
  ['links', checkLinks],
  ['mail', checkMail],
  ['backup', checkBackup],
  ['relay', checkRelay],
  ['video', checkVideo],
  ['tunnels', checkTunnels],
  ['update', checkUpdate],
]

/** What it looks at, in its order. */
export const LINES: readonly string[] = CHECKS.map(([name]) => name)

export const doctor: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArgs(args, OPTIONS)
    if (positionals.length > 0) throw new UsageError('doctor takes no words.')
    // Without the key of the data folder, which is among what may be wrong.
    const config = readConfig(process.env)
    const checks: NamedFinding[] = []
    for await (const finding of examine(config)) {
      checks.push(finding)
      if (!values.json) show(finding)
    }
    if (values.bundle !== undefined) {
      const bundle = JSON.stringify(await makeBundle(config, checks), null, 2)
      await writeFile(values.bundle, `${bundle}\n`, { flag: 'wx', mode: 0o600 })
      if (!values.json) print(`${values.bundle} is for who helps: look at it before you send it.`)
    }
    const ok = checks.every(({ state }) => state !== 'fail')
    if (values.json) print({ ok, checks })
    else print(ok ? '\nVigil can work here.' : '\nSomething above must be mended first.')
    return ok ? OK : FAILED
  },
}

type NamedFinding = Finding & { readonly name: string }

/** Looks at one thing after the other: at all, unless some are named. */
export async function* examine(config: Config, names?: readonly string[]): AsyncGenerator<NamedFinding> {
  for (const [name, check] of CHECKS)
    if (names === undefined || names.includes(name)) yield { name, ...(await attempt(check, config)) }
}

async function attempt(check: Check, config: Config): Promise<Finding> {
  try {
    return await check(config)
  } catch (error) {
    const explained = explainFailure(error) ?? { found: textOf(error), cure: null }
    return { state: 'fail', found: explained.found, advice: explained.cure }
  }
}

const SIGNS = { ok: ' ok ', warn: 'warn', fail: 'FAIL' } as const

function show({ name, state, found, advice }: NamedFinding): void {
  print(`${SIGNS[state]}  ${name.padEnd(9)}  ${found}`)
  if (advice !== null) print(`${' '.repeat(17)}${advice}`)
}
