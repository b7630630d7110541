import { type Command, OK } from './command.ts'

/** Hands over to the simulator's own command line, which knows its help and exit codes. */
export const simulate: Command = {
  help: 'See ./vigil simulate --help',
  async run(args) {
    process.argv = [process.execPath, 'simulate', ...args]
    await import('@vigil/simulator/main.ts')
    return Number(process.exitCode ?? OK)
  },
}
