import { sought } from '../lib/id.ts'
import { setKept } from '../modules/prints/timelapse/index.ts'
import {
  type Command,
  CommandFailed,
  loadConfig,
  OK,
  print,
  readArgs,
  UsageError,
  wholeNumber,
} from './command.ts'
import { withContext } from './context.ts'

const help = `Time-lapses that are kept whatever their age, when their owner has asked for it.

  ./vigil timelapse keep PRINT_ID
  ./vigil timelapse release PRINT_ID

PRINT_ID is the number in the address of the print's page.`

export const timelapse: Command = {
  help,
  async run(args) {
    const [verb, given, ...rest] = readArgs(args, {}).positionals
    if ((verb !== 'keep' && verb !== 'release') || given === undefined || rest.length > 0)
      throw new UsageError('Say "timelapse keep PRINT_ID" or "timelapse release PRINT_ID".')
    const printId = wholeNumber('PRINT_ID', given, { min: 1, max: 2_147_483_647, otherwise: 1 })
    const isKept = verb === 'keep'
    if (!(await withContext(loadConfig(), (ctx) => setKept(ctx.db, sought<'prints'>(printId), isKept))))
      throw new CommandFailed(`There is no time-lapse of print ${printId}.`)
    print(
      isKept
        ? `The time-lapse of print ${printId} is kept.`
        : `The time-lapse of print ${printId} goes with its age.`,
    )
    return OK
  },
}
