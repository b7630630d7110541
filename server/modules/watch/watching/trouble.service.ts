import type { Ctx } from '../../../ctx.ts'
import type { Space } from '../../../engines/files/space.ts'
import type { ServerTrouble } from './watching.rules.ts'
import { ofServer } from '../../../lib/of-server.ts'

interface Known {
  space: Space | null
  isDatabaseDown: boolean
}

/** What is known of each node's own troubles. */
const knownOf = ofServer((): Known => ({ space: null, isDatabaseDown: false }))

/** Whose disk takes the pictures. */
export function noteSpace(ctx: Pick<Ctx, 'live'>, space: Space): void {
  knownOf(ctx).space = space
}

/** Whether the database answers, as whoever asks it all the time has found. */
export function noteDatabase(ctx: Pick<Ctx, 'live'>, isDown: boolean): void {
  knownOf(ctx).isDatabaseDown = isDown
}

/** What keeps this server from taking pictures; null: nothing that is known. */
export function serverTrouble(ctx: Pick<Ctx, 'live'>): ServerTrouble | null {
  const { space, isDatabaseDown } = knownOf(ctx)
  if (isDatabaseDown) return 'database_down'
  return space?.isFull ? 'disk_full' : null
}
