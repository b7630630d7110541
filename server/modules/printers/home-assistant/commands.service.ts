import type { Printer } from '@vigil/contract/printers/printers.ts'
import type { UserId } from '../../../lib/id.ts'
import type { Ctx } from '../../../ctx.ts'
import { AppError } from '../../../http/errors.ts'
import { inNameOf } from '../../../http/principal.ts'
import { type Language, text } from '../../../http/texts.ts'
import { acknowledgeAlert, command } from '../printers/index.ts'
import { BUTTONS, type Pressed } from './discovery.rules.ts'

/** What came of a button. */
export interface Outcome {
  readonly command: Pressed
  readonly succeeded: boolean
  readonly detail?: string
}

/** The button that was pressed; null for anything else that somebody has written there. */
export const pressedIn = (payload: Buffer): Pressed | null =>
  BUTTONS.find((button) => payload.length < 40 && payload.toString() === button) ?? null

/** Who pressed where. */
interface Press {
  /** As it was shown there. */
  readonly printer: Pick<Printer, 'id' | 'alert' | 'current_print'>
  readonly userId: UserId
  readonly language: Language
  /** Nobody knows how long it was on its way. */
  readonly isLate: boolean
}

/**
 * Does what a button says, now or never, in the name of the channel's owner and for the print that was shown. "Not a failure"
 * answers the alert that waits, and nothing where none does.
 */
export async function press(
  ctx: Ctx,
  { printer, userId, language, isLate }: Press,
  pressed: Pressed,
): Promise<Outcome> {
  const refused = (why: 'late' | 'no_alert') => {
    const detail = text('home-assistant-server', why).in(language)
    return { command: pressed, succeeded: false, detail }
  }
  if (isLate) return refused('late')
  const principal = { ...inNameOf({ userId }), via: 'oauth' } as const
  const asker = { principal, edge: { origin: '', prefix: '' }, language }
  const meant = { id: printer.id, print_id: printer.current_print?.id }
  if (pressed === 'not_a_failure' && printer.alert === null) return refused('no_alert')
  const told =
    pressed === 'not_a_failure'
      ? await acknowledgeAlert(ctx, asker, meant, 'NOT_FAILED').catch(unlessGone)
      : await command(ctx, asker, meant, pressed)
  if (told === null) return refused('no_alert')
  const { succeeded, detail } = told
  return { command: pressed, succeeded, ...(detail === undefined ? {} : { detail }) }
}

/** The print has ended meanwhile, and its alert with it. */
function unlessGone(error: unknown): null {
  if (error instanceof AppError && error.status === 404) return null
  throw error
}
