import { pidFileOf } from '../supervisor.ts'
import { readPidFile } from '../supervisor/pid-file.ts'
import { type Command, CommandFailed, OK, print, readArgs, UsageError } from './command.ts'
import { readConfig } from '../config.ts'

const help = `Restarts the running server, for instance after an update, without refusing a connection.

  ./vigil restart [--json]

Requests in progress are answered, new ones wait for the new server; agents and browsers connect again by
themselves. Settings are those the server was started with: to change them, stop and start it.`

const OPTIONS = { json: { type: 'boolean', default: false } } as const

export const restart: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArgs(args, OPTIONS)
    if (positionals.length > 0) throw new UsageError('restart takes no words.')
    const config = readConfig(process.env)
    const pid = readPidFile(pidFileOf(config))
    if (pid === null)
      throw new CommandFailed(`No Vigil runs on ${config.dataFolder}. Start it with ./vigil up`)
    process.kill(pid, 'SIGUSR2')
    print(values.json ? { pid } : 'Vigil is restarting; connections wait for it.')
    return OK
  },
}
