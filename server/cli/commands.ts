import { type Command, explain, FAILED, OK, print, UsageError, WRONG_USE } from './command.ts'
import { BadConfig } from '../config.ts'

const HELP = `Vigil watches 3D printers.

  ./vigil up          install what is missing, build, start; --demo brings two simulated printers
  ./vigil restart     restart the running server without refusing a connection
  ./vigil update      bring it to another version, and back by itself when that does not come up
  ./vigil doctor      check the installation and explain each finding
  ./vigil backup      write the database into one file, or all there is to BACKUP_TO; list and verify what is there
  ./vigil restore     fill an empty database from such a file, or all there was
  ./vigil import      move in from an Obico server, with everything; a dry run first
  ./vigil export-feedback
                      write pictures that owners have answered as a data set for training
  ./vigil user        add people, set their passwords, list them
  ./vigil coupons     make codes to give away (enterprise edition)
  ./vigil secrets     rotate the keys that sign and seal
  ./vigil printer     add printers, one or many
  ./vigil timelapse   keep a time-lapse whatever its age
  ./vigil slicer      install the slicer, so that models are sliced in the browser
  ./vigil detect      look for failures in pictures
  ./vigil watch       judge a folder of pictures as one print
  ./vigil simulate    simulated printers against any server of this protocol
  ./vigil test        install what the tests need and run them all

Each has --help. Settings come from the environment; README.md lists them.
Exit codes: 0 done, 1 failed, 2 wrong use.`

const COMMANDS: Record<string, () => Promise<Command>> = {
  up: async () => (await import('./up.ts')).up,
  restart: async () => (await import('./restart.ts')).restart,
  update: async () => (await import('./update.ts')).update,
  doctor: async () => (await import('./doctor.ts')).doctor,
  backup: async () => (await import('./backup.ts')).backup,
  restore: async () => (await import('./restore.ts')).restore,
  import: async () => (await import('./import.ts')).importCommand,
  'export-feedback': async () => (await import('./export-feedback.ts')).exportFeedback,
  user: async () => (await import('./user.ts')).user,
  coupons: async () => (await import('./coupons.ts')).coupons,
  secrets: async () => (await import('./secrets.ts')).secrets,
  printer: async () => (await import('./printer.ts')).printer,
  timelapse: async () => (await import('./timelapse.ts')).timelapse,
  slicer: async () => (await import('./slicer.ts')).slicer,
  detect: async () => (await import('./detect.ts')).detect,
  watch: async () => (await import('./watch.ts')).watch,
  simulate: async () => (await import('./simulate.ts')).simulate,
}

async function run([name = 'help', ...args]: string[]): Promise<number> {
  if (name === 'help' || name === '--help' || name === '-h') {
    print(HELP)
    return OK
  }
  const load = COMMANDS[name]
  if (!load) throw new UsageError(`There is no command "${name}". See ./vigil help.`)
  const command = await load()
  if (name !== 'simulate' && (args.includes('--help') || args.includes('-h'))) {
    print(command.help)
    return OK
  }
  return command.run(args)
}

/** Does what `./vigil` was asked; a failure becomes a sentence. Returns the exit code. */
export async function perform(args: string[]): Promise<number> {
  try {
    return await run(args)
  } catch (error) {
    const said = explain(error)
    if (said === null) console.error(error)
    else console.error(`vigil: ${said}`)
    return error instanceof UsageError || error instanceof BadConfig ? WRONG_USE : FAILED
  }
}
