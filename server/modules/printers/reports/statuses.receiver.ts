import { CLOSE } from '@vigil/contract/sockets.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Line, Receiver } from '../../core/agents/index.ts'
import { agentKindOf } from '../../core/passthru/index.ts'
import { noteProgress } from '../phone-progress/index.ts'
import { Absence, knockAgain } from './away.service.ts'
import { awaitFacts } from './facts.service.ts'
import { StatusQueue } from '../statuses/queue.ts'
import { readStatusMessage } from '../statuses/report.rules.ts'
import { hideStatus, showStatus, type Taken } from '../statuses/statuses.service.ts'

/** Takes an agent's statuses from one line: shows each at once, and brings the rows up to it. Null when the printer is no more. */
export async function openStatuses(ctx: Ctx, line: Line): Promise<Receiver<'status'> | null> {
  const beginning = await awaitFacts(ctx, line.printerId, () => line.isOpen)
  if (beginning === null) return null
  const { facts, shouldWatch } = beginning
  if (facts.isShown) line.noteReport('earlier')
  const queue = new StatusQueue(ctx, facts, {
    onTaken: (taken) => afterStatus(line, taken),
    isReplaced: () => line.isReplaced(),
  })
  const absence = new Absence(ctx, line)
  const isKlipper = () => agentKindOf(facts.settings.agentName) === 'klipper'
  return {
    get farewell() {
      return isKlipper() ? knockAgain() : undefined
    },
    greeting: { should_watch: shouldWatch },
    get printId() {
      return facts.print?.id ?? null
    },
    get settled() {
      return queue.settled
    },
    hear({ message: fields, bytes }) {
      const message = readStatusMessage(fields)
      const { isStale } = showStatus(ctx, facts, message)
      line.noteReport(message.status === null ? 'empty' : isStale ? 'late' : 'status')
      if (message.status !== null) absence.end()
      else if (isKlipper()) absence.begin()
      if (message.status !== null && !isStale && facts.print !== null)
        noteProgress(ctx, { printerId: facts.printerId, printId: facts.print.id })
      queue.add({ message, isStale, bytes })
    },
    end: () => absence.end(),
    leave: () => hideStatus(ctx, facts),
  }
}

function afterStatus(line: Line, { isGone, shouldWatch }: Taken): void {
  if (isGone) line.close(CLOSE.revoked, 'gone')
  else if (shouldWatch !== null) line.send({ remote_status: { should_watch: shouldWatch } })
}
