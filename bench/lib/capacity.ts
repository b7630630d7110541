/** What so many printers need, computed from what was measured. Pure: docs/capacity.md says what follows from it. */

/** What was measured (bench/results.json), of one event each. */
export interface Measured {
  /** Microseconds of processor time: of a node, and of PostgreSQL. */
  readonly statusUs: { readonly node: number; readonly postgres: number }
  readonly pictureUs: { readonly node: number; readonly postgres: number }
  /** Milliseconds of processor time of the detector for a picture. */
  readonly lookMs: number
  readonly redis: { readonly commandsOfStatus: number; readonly commandsOfPicture: number }
  readonly walBytes: { readonly status: number; readonly picture: number }
  /** Bytes of a row, indexes included. */
  readonly rowBytes: Readonly<Record<'frames' | 'decisions' | 'printer_events' | 'prints', number>>
  readonly restMb: number
  readonly agentKb: number
}

/** How printers are used, and for how long things are kept. */
export interface Use {
  /** Of all printers, the share that prints in the busy hour, and on average over the day. */
  readonly printingAtOnce: number
  readonly printingOnAverage: number
  readonly secondsBetweenStatuses: number
  readonly secondsBetweenPictures: number
  readonly pictureBytes: number
  readonly frameDays: number
  readonly printsADay: number
  readonly eventsAPrint: number
  readonly filmBytes: number
  readonly filmMonths: number
  /** Years of rows of prints and events that are there. */
  readonly years: number
  /** How busy a processor may be, so that a node that dies leaves room for its agents. */
  readonly busy: number
}

/** Dollars: what clouds ask for, rounded; the reader puts in their own. */
export interface Prices {
  /** A core with 4 GB for a month. */
  readonly core: number
  readonly databaseCore: number
  readonly databaseGb: number
  readonly storedGb: number
  readonly putsPerThousand: number
}

export interface Need {
  readonly printers: number
  readonly statusesASecond: number
  readonly picturesASecond: number
  readonly webCores: number
  readonly detectorCores: number
  readonly postgresCores: number
  /** Machines of four cores that serve, or look at pictures; one more than are busy. */
  readonly webMachines: number
  readonly detectorMachines: number
  readonly memoryGb: number
  readonly databaseGb: number
  readonly databaseRowsASecond: number
  readonly walMbASecond: number
  readonly redisCommandsASecond: number
  readonly picturesTb: number
  readonly filmsTb: number
  readonly shards: number
  readonly dollarsAMonth: {
    readonly machines: number
    readonly database: number
    readonly stored: number
    readonly puts: number
  }
}

export const MACHINE_CORES = 4
/** What one PostgreSQL shall be asked for: cores of one machine, and megabytes of changes a second that copies follow. */
export const MOST_OF_ONE = { cores: 32, walMb: 50, databaseGb: 4_000 } as const
const DAY_S = 86_400
const MONTH_DAYS = 30.4

/** Home and small offices have everything on one machine: no node stands by. */
export const ALONE_BELOW = 500

const machinesFor = (cores: number, busy: number, isAlone: boolean) =>
  Math.ceil(cores / (MACHINE_CORES * busy)) + (isAlone ? 0 : 1)

/** Bytes of the database, once so much time has passed that as much goes as comes. */
function databaseBytes(printers: number, use: Use, { rowBytes }: Measured): number {
  const framesADay = (use.printingOnAverage * DAY_S) / use.secondsBetweenPictures
  const printsKept = use.printsADay * 365 * use.years
  return (
    printers *
    (framesADay * use.frameDays * (rowBytes.frames + rowBytes.decisions) +
      printsKept * (rowBytes.prints + use.eventsAPrint * rowBytes.printer_events))
  )
}

/** What so many printers need. */
export function needOf(printers: number, use: Use, measured: Measured, prices: Prices): Need {
  const statuses = printers / use.secondsBetweenStatuses
  const pictures = (printers * use.printingAtOnce) / use.secondsBetweenPictures
  const cores = (of: 'node' | 'postgres') =>
    (statuses * measured.statusUs[of] + pictures * measured.pictureUs[of]) / 1e6
  const [webCores, postgresCores] = [cores('node'), cores('postgres')]
  const detectorCores = (pictures * measured.lookMs) / 1_000
  const isAlone = printers < ALONE_BELOW
  const webMachines = isAlone ? 1 : machinesFor(webCores, use.busy, false)
  const detectorMachines = isAlone ? 0 : machinesFor(detectorCores, use.busy, false)
  const databaseGb = databaseBytes(printers, use, measured) / 1e9
  const walMb = (statuses * measured.walBytes.status + pictures * measured.walBytes.picture) / 1e6
  const picturesADay = (printers * use.printingOnAverage * DAY_S) / use.secondsBetweenPictures
  const picturesTb = (picturesADay * use.frameDays * use.pictureBytes) / 1e12
  const filmsTb = (printers * use.printsADay * MONTH_DAYS * use.filmMonths * use.filmBytes) / 1e12
  const machines = (webMachines + detectorMachines) * MACHINE_CORES * prices.core
  const databaseCores = Math.max(isAlone ? 0 : 2, Math.ceil(postgresCores / use.busy))
  return {
    printers,
    statusesASecond: statuses,
    picturesASecond: pictures,
    webCores,
    detectorCores,
    postgresCores,
    webMachines,
    detectorMachines,
    memoryGb: (measured.restMb * Math.max(1, webMachines) + (printers * measured.agentKb) / 1_000) / 1_000,
    databaseGb,
    databaseRowsASecond: 2 * pictures,
    walMbASecond: walMb,
    redisCommandsASecond:
      statuses * measured.redis.commandsOfStatus + pictures * measured.redis.commandsOfPicture,
    picturesTb,
    filmsTb,
    shards: Math.ceil(
      Math.max(
        postgresCores / use.busy / MOST_OF_ONE.cores,
        walMb / MOST_OF_ONE.walMb,
        databaseGb / MOST_OF_ONE.databaseGb,
      ),
    ),
    dollarsAMonth: {
      machines,
      database: databaseCores * 2 * prices.databaseCore + databaseGb * 2 * prices.databaseGb,
      stored: (picturesTb + filmsTb) * 1_000 * prices.storedGb,
      puts: ((picturesADay * MONTH_DAYS) / 1_000) * prices.putsPerThousand,
    },
  }
}

/** What a server with so many agents, each a status a second, will be found to use: cores, and megabytes. */
export function forecastOf(
  agents: number,
  { restMb, agentKb }: Measured,
  statusUs: number,
): { readonly cores: number; readonly memoryMb: number } {
  return { cores: (agents * statusUs) / 1e6, memoryMb: restMb + (agents * agentKb) / 1_000 }
}
