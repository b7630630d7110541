import type { Ctx } from '../../../ctx.ts'
import { actorOf } from '../../../http/acting.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import type { PrinterId, PrintId } from '../../../lib/id.ts'
import { writeAudit } from '../../core/events/index.ts'

interface Asker {
  readonly principal: UserPrincipal
}
type Inside = Pick<Ctx, 'db' | 'clock'>

const wayOf = ({ principal }: Asker) =>
  ({
    actor: principal.via === 'session' ? 'web' : 'api',
    userId: actorOf(principal),
    outcome: 'done',
  }) as const

/** Who changed a printer, and how. */
export const auditPrinter = (
  ctx: Inside,
  asker: Asker,
  printerId: PrinterId,
  what: 'changed' | 'deleted' | 'archived' | 'unarchived',
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> =>
  writeAudit(ctx, { ...wayOf(asker), printerId, printId: null, action: `printer.${what}`, detail })

/** Who said what of an alert: that it is a failure or none, that it was seen, that no more are wanted of this print. */
export const auditAlert = (
  ctx: Inside,
  asker: Asker,
  of: { readonly printerId: PrinterId; readonly printId: PrintId },
  said: string,
): Promise<void> => writeAudit(ctx, { ...wayOf(asker), ...of, action: `alert.${said}` })
