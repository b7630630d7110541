import { LEAD_MS, rotateSecrets, showSecrets } from '../modules/people/secrets/index.ts'
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

const help = `The keys that sign and seal: links, media, passes, authenticator apps.

  ./vigil secrets                     which there are, and until when they count
  ./vigil secrets rotate [--days N]   make a new one

Every node knows a new key within ten seconds and signs with it after ${LEAD_MS / 1000}, without a restart. What the keys
before it have signed counts for N days more (30 unless said, 0 after a leak); sessions, agents, API keys and
authenticator apps go on. VIGIL_SECRET, which seals the keys, stays as it is.`

const OPTIONS = { days: { type: 'string' } } as const
const DAY_MS = 86_400_000

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ')

export const secrets: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArgs(args, OPTIONS)
    const [what, ...rest] = positionals
    if ((what !== undefined && what !== 'rotate') || rest.length > 0)
      throw new UsageError('Say "secrets" or "secrets rotate". See ./vigil secrets --help.')
    if (what === undefined && values.days !== undefined)
      throw new UsageError('--days belongs to "secrets rotate".')
    const days = wholeNumber('days', values.days, { min: 0, max: 365, otherwise: 30 })
    const told = await withContext(loadConfig(), async (ctx) =>
      what === 'rotate' ? await rotateSecrets(ctx, days * DAY_MS) : await showSecrets(ctx),
    )
    if (told === null)
      throw new CommandFailed('A key was made just now and does not sign yet. Try again in a minute.')
    for (const { number, from, until, isCurrent } of told) {
      const state = isCurrent ? 'signs' : from > Date.now() ? `signs from ${dayOf(from)}` : 'signed'
      print(`key ${number}: ${state}${until === null ? '' : `, counts until ${dayOf(until)}`} (UTC)`)
    }
    return OK
  },
}
