import { mkdirSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pino } from 'pino'
import type { Config } from '../config.ts'
import { rotateLog } from '../engines/db/cluster.ts'
import { keep } from '../supervisor.ts'
import { outwardAddresses } from '../lib/interfaces.ts'
import { tidySoon } from '../lib/tidy.ts'
import { type Command, loadConfig, OK, print, readArgs, UsageError } from './command.ts'

const help = `Starts Vigil and prints its address; on an empty data folder also the one-time link to create the first account.

  ./vigil up [--demo] [--json]

  --demo   two simulated printers on an account of their own, one of which will fail; time passes faster
  --json   what is printed at the start as one JSON object a line

It runs until SIGTERM or Ctrl-C. ./vigil restart restarts it without refusing a connection.
Settings come from the environment (PORT, HOST, VIGIL_DATA, …); README.md lists them.`

const OPTIONS = {
  demo: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const

export const up: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArgs(args, OPTIONS)
    if (positionals.length > 0) throw new UsageError('up takes no words.')
    // The simulator costs memory and time that a real server does not owe.
    const demo = values.demo ? await import('./demo.ts') : null
    const environment = demo?.demoEnvironment(process.env) ?? process.env
    const config = loadConfig(environment)
    const output = process.stdout.isTTY && !values.json ? openLog(config) : undefined
    const log = pino({ level: config.LOG_LEVEL }, pino.destination({ fd: output ?? 1, sync: true }))
    const ending = new AbortController()
    let isFirst = true
    try {
      await keep({
        config,
        log,
        ...(output && { output }),
        env: { ...environment, VIGIL_SECRET: config.VIGIL_SECRET },
        onReady({ port, setupLink }) {
          if (isFirst)
            announce(config, { port, setupLink: values.demo ? null : setupLink, json: values.json })
          if (isFirst) {
            demo
              ?.startDemo({ config, port, json: values.json, signal: ending.signal })
              .catch((error: unknown) => log.error({ err: error }, 'the demo could not start'))
          }
          if (isFirst) tidySoon()
          isFirst = false
        },
      })
    } finally {
      ending.abort()
    }
    return OK
  },
}

/** On a terminal people read the address, not the log: that goes into a file. */
function openLog(config: Config): number {
  const file = join(config.dataFolder, 'log', 'vigil.log')
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  rotateLog(file)
  print(`Starting. The log is in ${file}`)
  return openSync(file, 'a', 0o600)
}

function announce(config: Config, at: { port: number; setupLink: string | null; json: boolean }): void {
  const addresses = addressesOf(config.HOST).map((host) => `http://${host}:${at.port}`)
  const [here = ''] = addresses
  const setup = at.setupLink === null ? null : (config.PUBLIC_URL ?? here) + at.setupLink
  if (at.json) return print({ address: here, addresses, setup_link: setup })
  print(`Vigil is running at ${addresses.join(' and ')}/`.replaceAll(' and ', '/ and '))
  if (setup) print(`Create the first account here (the link works once):\n  ${setup}`)
}

/** Where a listener on this host is reached: by the machine itself first, then from its networks. */
function addressesOf(host: string): string[] {
  if (host !== '0.0.0.0' && host !== '::') return [host.includes(':') ? `[${host}]` : host]
  return ['localhost', ...outwardAddresses()]
}
