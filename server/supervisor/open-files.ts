import { readdirSync, readFileSync } from 'node:fs'
import type { Server } from 'node:net'

/** Of the files the system lets us open, for what is no connection: pictures, the database, what is loaded later. */
const OTHER_FILES = 48
const COMPLAIN_EVERY_MS = 10_000

/**
 * Keeps a server's connections so few that the system still lets it open files (`ulimit -n`). Those above are closed,
 * counted, and told of now and then.
 */
export function limitConnections(
  server: Server,
  log: { warn(details: object, message: string): void },
): void {
  const room = openFilesLimit() - openFiles() - OTHER_FILES
  if (room === Infinity) return
  server.maxConnections = Math.max(1, room)
  let closed = 0
  let all = 0
  let timer: NodeJS.Timeout | null = null
  server.on('drop', () => {
    closed++
    all++
    timer ??= setTimeout(() => {
      log.warn(
        { closed, all, room },
        'connections were closed: the system allows no more open files (ulimit -n)',
      )
      closed = 0
      timer = null
    }, COMPLAIN_EVERY_MS).unref()
  })
}

/** Of the connections that a server may have, a quarter is for those that come in at other ports. */
export function leaveRoomBeside(server: Server): { left: number } {
  const quarter = Math.ceil((server.maxConnections || Infinity) / 4)
  if (quarter !== Infinity) server.maxConnections -= quarter
  return { left: quarter }
}

/** How many files and connections this process may have open; Infinity where it can't be learnt. */
function openFilesLimit(): number {
  try {
    const limit = /^Max open files\s{1,40}(\d{1,20})/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return limit === undefined ? Infinity : Number(limit)
  } catch {
    return Infinity
  }
}

/** How many this process has open now; 0 where it can't be learnt. */
function openFiles(): number {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return 0
  }
}
