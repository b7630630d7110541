import { createHash } from 'node:crypto'
import type { Ctx } from '../../../ctx.ts'
import { NoAnswer, send } from '../../../engines/outgoing/send.ts'
import { invalid } from '../../../http/errors.ts'
import { text } from '../../../http/texts.ts'

/** Of a hash so many digits are told, which a thousand passwords have in common. */
const TOLD = 5
/** Nobody waits longer for somebody else's list. */
const PATIENCE_MS = 2_000

/**
 * Raises 400 beside `field` for a password that was breached somewhere, where `BREACHED_PASSWORDS_URL` says who knows. Who is asked learns five
 * digits of its SHA-1; when nobody answers it counts as good.
 */
export async function requireUnbreached(
  { config, log }: Pick<Ctx, 'config' | 'log'>,
  field: 'password' | 'new',
  password: string,
): Promise<void> {
  const { BREACHED_PASSWORDS_URL: url } = config
  if (url === undefined) return
  const digest = createHash('sha1').update(password).digest('hex').toUpperCase()
  const asked = {
    method: 'GET',
    url: url + digest.slice(0, TOLD),
    namedBy: 'vendor',
    timeoutMs: PATIENCE_MS,
  } as const
  const answer = await send(config, asked).catch((error: unknown) => {
    if (error instanceof NoAnswer) return null
    throw error
  })
  if (answer?.status !== 200)
    return log.warn({ status: answer?.status ?? null }, 'breached passwords could not be looked up')
  const rest = `${digest.slice(TOLD)}:`
  if (
    answer.text
      .split('\n')
      .some((line) => line.toUpperCase().startsWith(rest) && !/:0\s*$/.test(line.slice(0, 60)))
  )
    throw invalid({ [field]: text('accounts-server', 'breached') })
}
