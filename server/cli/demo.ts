import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '../config.ts'
import type { Ctx } from '../ctx.ts'
import { createUser } from '../modules/people/accounts/index.ts'
import { addPrinter } from '../modules/printers/printers/index.ts'
import { print } from './command.ts'
import { withContext } from './context.ts'
import { codeOf } from '../lib/thrown.ts'

/** In the demo a failure takes a minute, not ten: pictures come and are weighed this many times as fast. */
const HURRY = 5
/** Seconds: the demo's prints take a minute and a half, and a film is made of them, too. */
const FILMED = { min_timelapse_secs_on_finish: 60, min_timelapse_secs_on_cancel: 60 }
const EMAIL = 'demo@example.org'

interface Demo {
  email: string
  password: string
  tokens: string[]
}

/** The demo's settings; what the environment says itself goes before. */
export function demoEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const sells = env['STRIPE_SECRET_KEY'] ? {} : { BILLING: 'sandbox' }
  return { NODE_ENV: 'development', DETECTION_TIME_SCALE: String(HURRY), ...sells, ...env }
}

/** Two simulated printers, one of which will fail, on an account with a password made for this data folder. */
export async function startDemo(options: {
  config: Config
  port: number
  json: boolean
  signal: AbortSignal
}) {
  const { config, port, json, signal } = options
  const { email, password, tokens } = await demoOf(config)
  if (signal.aborted) return
  const log = openSync(join(config.dataFolder, 'log', 'demo.log'), 'a', 0o600)
  const host = config.HOST === '0.0.0.0' ? '127.0.0.1' : config.HOST === '::' ? '[::1]' : config.HOST
  const main = fileURLToPath(import.meta.resolve('@vigil/simulator/main.ts'))
  const args = [main, '--server', `http://${host}:${port}`, ...tokens.flatMap((token) => ['--token', token])]
  const pace = [
    '--print',
    'demo',
    '--loop',
    '--speed',
    '10',
    '--pic-every',
    String(10 / HURRY),
    '--status-every',
    '5',
  ]
  // Its orders come through a pipe, which the kernel closes when we are killed: it ends then, too.
  const child = spawn(
    process.execPath,
    [...args, ...pace, '--control', '--fail', 'spaghetti@12', '--fail-first'],
    {
      stdio: ['pipe', log, log],
      env: { PATH: process.env['PATH'] },
    },
  )
  closeSync(log)
  child.on('error', () => {})
  signal.addEventListener('abort', () => child.kill(), { once: true })
  if (json) print({ demo: { email, password } })
  else print(`Demo: sign in as ${email} with the password ${password}. The first printer will fail.`)
}

/** Made once; found again in the data folder at the next start. */
async function demoOf(config: Config): Promise<Demo> {
  const path = join(config.dataFolder, 'demo.json')
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Demo
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
  const demo = await withContext(config, createDemo)
  writeFileSync(path, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 })
  return demo
}

async function createDemo(ctx: Ctx): Promise<Demo> {
  const password = randomBytes(9).toString('base64url')
  // Nobody reads mail there, and only who has a confirmed address may try how plans are bought.
  await createUser(ctx, { email: EMAIL, password, isAdmin: true, isVerified: true })
  const tokens: string[] = []
  for (const name of ['Prusa in the attic', 'Voron in the cellar']) {
    const { auth_token: token } = await addPrinter(ctx, { ownerEmail: EMAIL, name, ...FILMED })
    tokens.push(token)
  }
  return { email: EMAIL, password, tokens }
}
