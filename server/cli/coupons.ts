import { MOST_CODES } from '@vigil/contract/shop/coupons.ts'
import { makeCodes } from '../modules/shop/coupons/index.ts'
import { type Command, loadConfig, OK, print, readArgs, UsageError, wholeNumber } from './command.ts'
import { withContext } from './context.ts'

const help = `Codes to give away: hours of AI detection, or a partner's plan. Each is redeemed once.

  ./vigil coupons hours HOURS --count N [--days N] [--for TEXT] [--brand NAME]
  ./vigil coupons offer OFFER --count N [--days N] [--for TEXT] [--brand NAME]

  --count N     how many, ${MOST_CODES} at most
  --days N      they can be redeemed for so long; without it, for ever
  --for TEXT    what its redeemer reads beside it
  --brand NAME  whose accounts may redeem them; the first without it

The codes are printed as CSV, once: what is kept of them opens nothing. OFFER is one of the brand's plans.json.`

const OPTIONS = {
  count: { type: 'string' },
  days: { type: 'string' },
  for: { type: 'string', default: '' },
  brand: { type: 'string' },
} as const

const DAY_MS = 86_400_000

export const coupons: Command = {
  help,
  async run(args) {
    const { values, positionals } = readArgs(args, OPTIONS)
    const [kind, what, ...rest] = positionals
    if ((kind !== 'hours' && kind !== 'offer') || what === undefined || rest.length > 0)
      throw new UsageError('Say "coupons hours HOURS" or "coupons offer OFFER". See ./vigil coupons --help.')
    const count = wholeNumber('count', values.count, { min: 1, max: MOST_CODES, otherwise: 1 })
    const days = wholeNumber('days', values.days, { min: 1, max: 3650, otherwise: 0 })
    const hours = kind === 'hours' ? wholeNumber('hours', what, { min: 1, max: 100_000, otherwise: 1 }) : null
    const config = loadConfig()
    const brand = values.brand ?? config.brands[0].name
    if (!config.brands.some(({ name }) => name === brand)) throw new UsageError(`There is no brand ${brand}.`)
    const codes = await withContext(config, (ctx) =>
      makeCodes(ctx, {
        brand,
        count,
        offer: kind === 'offer' ? what : null,
        hours,
        description: values.for,
        expiresAt: days === 0 ? null : new Date(ctx.clock.now() + days * DAY_MS),
      }),
    )
    print(['code', ...codes].join('\n'))
    return OK
  },
}
