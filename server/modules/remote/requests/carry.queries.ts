import { agentCan } from '@vigil/contract/core/abilities.ts'
import type { PrinterId } from '../../../lib/id.ts'
import type { Db } from '../../../engines/db/port.ts'

/** Whether a printer's agent can carry requests; one that has not told its version yet may. */
export async function canTunnel(db: Db, printerId: PrinterId): Promise<boolean> {
  const printer = await db
    .selectFrom('printers')
    .select(['agentName', 'agentVersion'])
    .where('id', '=', printerId)
    .executeTakeFirst()
  if (printer === undefined) return false
  const { agentName, agentVersion } = printer
  if (agentName === null || agentVersion === null) return true
  return agentCan({ agent_name: agentName, agent_version: agentVersion }, 'tunnel')
}
