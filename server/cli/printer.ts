import { addPrinter } from '../modules/printers/printers/index.ts'
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

const help = `Printers, added without the linking code: for bulk provisioning and benchmarks.

  ./vigil printer add --owner EMAIL [--name NAME] [--count N] [--json]

Prints one JSON object a line with id, name and auth_token, with or without --json.

  --owner EMAIL   whose printers they are
  --name NAME     their name; with --count a number follows it ("Printer" unless given)
  --count N       how many, 1 unless given`

const OPTIONS = {
  owner: { type: 'string' },
  name: { type: 'string', default: 'Printer' },
  count: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const

export const printer: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArgs(args, OPTIONS)
    if (positionals.join(' ') !== 'add')
      throw new UsageError('Say "printer add --owner EMAIL". See ./vigil printer --help.')
    const { owner, name } = values
    if (owner === undefined) throw new UsageError('--owner EMAIL is missing.')
    const count = wholeNumber('count', values.count, { min: 1, max: 100_000, otherwise: 1 })
    await withContext(loadConfig(), async (ctx) => {
      for (let number = 1; number <= count; number++) {
        const called = count === 1 ? name : `${name} ${number}`
        print(await addPrinter(ctx, { ownerEmail: owner, name: called }).catch(nobody))
      }
    })
    return OK
  },
}

function nobody(error: unknown): never {
  if (error instanceof Error && /there is no account/.test(error.message)) {
    throw new CommandFailed(`T${error.message.slice(1)}. Add one with ./vigil user add EMAIL`)
  }
  throw error
}
