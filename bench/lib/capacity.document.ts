/** docs/capacity.md: the figures of `needOf`, with what follows from them. */
import {
  forecastOf,
  MACHINE_CORES,
  type Measured,
  MOST_OF_ONE,
  type Need,
  needOf,
  type Prices,
  type Use,
} from './capacity.ts'
import { short } from './numbers.ts'

export interface Told {
  readonly counts: readonly number[]
  readonly use: Use
  readonly prices: Prices
  readonly measured: Measured
  /** Runs that a forecast is held against; null where none was made. */
  readonly runs: readonly {
    readonly agents: number
    readonly microseconds: number | null
    readonly statuses: number | null
    readonly memory: number | null
    readonly load: number | null
  }[]
  readonly known: {
    /** Of a status, with 2,000 agents. */
    readonly microseconds: number
    /** Agents that one, two and four nodes carry. */
    readonly nodes: readonly number[]
    /** Everything on one core and 1 GB: megabytes at rest, with a printer watched, and at most; seconds and the core's share. */
    readonly small: Readonly<
      Record<'startS' | 'restMb' | 'watchedMb' | 'mostMb' | 'percent' | 'lookMs', number>
    >
    readonly load: number
  }
}

const whole = (value: number) => Math.round(value).toLocaleString('en-US')
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** One line for each figure, one column for each number of printers. */
function needs({ counts, use, prices, measured }: Told): string {
  const all = counts.map((count) => needOf(count, use, measured, prices))
  const line = (what: string, of: (need: Need) => number, format = short) => [
    what,
    ...all.map((one) => format(of(one))),
  ]
  const sum = ({ dollarsAMonth: { machines, database, stored, puts } }: Need) =>
    machines + database + stored + puts
  return table(
    ['printers', ...counts.map((count) => whole(count))],
    [
      line('statuses a second', (one) => one.statusesASecond),
      line('pictures of prints a second', (one) => one.picturesASecond),
      line('cores for statuses and pictures', (one) => one.webCores),
      line('cores for the detector', (one) => one.detectorCores),
      line('cores of PostgreSQL', (one) => one.postgresCores),
      line(`machines of ${MACHINE_CORES} cores that serve (\`web\`)`, (one) => one.webMachines, whole),
      line(`machines of ${MACHINE_CORES} cores that look (\`worker\`)`, (one) => one.detectorMachines, whole),
      line('memory of the nodes, GB', (one) => one.memoryGb),
      line('database, GB', (one) => one.databaseGb),
      line('rows a second', (one) => one.databaseRowsASecond),
      line('changes of the database (WAL), MB a second', (one) => one.walMbASecond),
      line('commands to Redis a second', (one) => one.redisCommandsASecond),
      line('pictures kept, TB', (one) => one.picturesTb),
      line('films kept, TB', (one) => one.filmsTb),
      line('shards', (one) => one.shards, whole),
      line('machines, $ a month', (one) => one.dollarsAMonth.machines, whole),
      line('database and its copy, $ a month', (one) => one.dollarsAMonth.database, whole),
      line('pictures and films kept, $ a month', (one) => one.dollarsAMonth.stored, whole),
      line('putting pictures there, $ a month', (one) => one.dollarsAMonth.puts, whole),
      line('all of it, $ a month', sum, whole),
      line('a printer, $ a month', (one) => sum(one) / one.printers),
    ],
  )
}

function figures({ measured: m }: Told): string {
  return table(
    ['what', 'measured', 'by'],
    [
      [
        'a status: processor time of a node, of PostgreSQL',
        `${short(m.statusUs.node)} and ${short(m.statusUs.postgres)} µs`,
        '`growth`, two nodes',
      ],
      [
        'a picture of a print, on a connection of its own',
        `${short(m.pictureUs.node)} and ${short(m.pictureUs.postgres)} µs`,
        '`rows`',
      ],
      ['the detector’s look at it', `${short(m.lookMs)} ms`, '`small`'],
      [
        'commands to Redis for a status, for a picture',
        `${short(m.redis.commandsOfStatus)} and ${short(m.redis.commandsOfPicture)}`,
        '`growth`, `rows`',
      ],
      [
        'changes of the database for a status, for a picture',
        `${short(m.walBytes.status)} and ${short(m.walBytes.picture)} B`,
        '`growth`, `rows`',
      ],
      ...Object.entries(m.rowBytes).map(([name, bytes]) => [
        `a row of \`${name}\`, with its indexes`,
        `${short(bytes)} B`,
        '`rows`',
      ]),
      ['memory at rest, and for an agent', `${short(m.restMb)} MB and ${short(m.agentKb)} kB`, '`memory`'],
    ],
  )
}

function assumptions({ use: u, prices: p }: Told): string {
  return table(
    ['what', 'assumed'],
    [
      [
        'printers that print in the busy hour, and on average',
        `${short(u.printingAtOnce * 100)} % and ${short(u.printingOnAverage * 100)} %`,
      ],
      [
        'seconds between two statuses, of a print’s pictures',
        `${short(u.secondsBetweenStatuses)} and ${short(u.secondsBetweenPictures)}`,
      ],
      [
        'a picture, kept for',
        `${short(u.pictureBytes / 1_000)} kB, ${u.frameDays} days (\`FRAME_RETENTION_DAYS\`)`,
      ],
      ['prints a day, events of each', `${short(u.printsADay)} and ${short(u.eventsAPrint)}`],
      [
        'a film, kept for',
        `${short(u.filmBytes / 1e6)} MB, ${u.filmMonths} months (\`TIMELAPSE_RETENTION_MONTHS\`)`,
      ],
      ['years of prints and events in the database', short(u.years)],
      ['how busy a processor may be', `${short(u.busy * 100)} %`],
      ['a core of a machine, of a database, a month', `$${p.core} and $${p.databaseCore}`],
      ['a GB of a database, of stored files, a month', `$${p.databaseGb} and $${p.storedGb}`],
      ['1,000 files put into S3', `$${p.putsPerThousand}`],
    ],
  )
}

function forecasts({ runs, known, measured }: Told): string {
  const rows = runs.map(({ agents, microseconds, statuses, memory, load }) => {
    const { cores, memoryMb } = forecastOf(agents, measured, known.microseconds)
    const isMeasured = microseconds !== null && statuses !== null
    const used = isMeasured ? (microseconds * statuses) / 1e6 : null
    return [
      whole(agents),
      short(cores),
      used === null
        ? 'not measured yet'
        : `${short(used)} (${short(statuses ?? 0)} statuses a second, load ${short(load ?? 0)})`,
      `${whole(memoryMb)} MB`,
      memory === null
        ? 'not measured yet'
        : `${whole(memory)} MB (RSS of Node’s processes, shared pages twice)`,
    ]
  })
  return table(
    ['agents, a status a second each', 'cores: forecast', 'measured', 'memory: forecast', 'measured'],
    rows,
  )
}

/** The whole document. */
export function documentOf(told: Told): string {
  const { counts, known, use, measured, prices } = told
  const [one = Number.NaN, two = Number.NaN, four = Number.NaN] = known.nodes
  const [, , large = counts.at(-1) ?? 0] = counts
  const most = needOf(large, use, measured, prices)
  const each = Math.floor(most.printers / Math.max(1, most.shards))
  return `# How far it goes

Written by \`node bench/capacity.ts --write\` from bench/results.json; do not edit. \`node bench/capacity.ts 2500\` prints the same for other numbers; what is assumed
stands at the top of that program.

${needs(told)}

Machines are one more than are busy, so that one may die or be replaced; with fewer than 500 printers everything is one machine, without that comfort. The database
counts with one copy of itself. Tunnels and video are not in it: video goes past the server wherever networks allow.

## From what

${figures(told)}

${assumptions(told)}

Times are of the processor that [benchmarks.md](benchmarks.md) names, prices are nobody's offer.

## Growth

Agents that say a status a second, by node, each node on the same share of a core, until one status in twenty takes half a second to a browser: ${whole(one)} on one, ${whole(two)} on two
(${short(two / one)} times), ${Number.isNaN(four) ? 'on four 400 each took 0.46 s in one run and 0.8 s in another of the same hour (2026-11-26), so they carry about 3.2 times one' : `${whole(four)} on four (${short(four / one)} times)`}, measured at a load of ${short(known.load)}. Beside the nodes PostgreSQL took a quarter of what they did, Redis a tenth.

**What gives first is the node's own processor**: the step that is no longer carried finds it made to wait nine times in ten, with PostgreSQL, Redis and the network far from their ends. A profile of a node
with 400 such agents (v8's own, 2026-11-26) says where it goes: a third into writing to the socket of Redis (what is known now of the printer is put there with each status, a command and a write of its own;
\`core/presence/status.ts\`), 15 % into statements to PostgreSQL, 11 % into reading what agents say (JSON), 7 % into collecting garbage. To write several commands at once was tried (ioredis’s automatic pipelines, 2026-11-26): Redis took half, the node
more than before, and 400 agents were no longer carried; it stays off. Fewer commands for a status would be the first thing to do.

## Forecasts, and a run

${forecasts(told)}

The forecast is ${short(known.microseconds)} µs for a status, as measured with 2,000 agents, and the memory of an agent. \`npm run bench -- agents-500 agents-4000 --report\` measures.

## A small machine

Everything on one core and 1 GB of memory (\`npm run bench -- small\`, at the load that [benchmarks.md](benchmarks.md) names): the first answer after ${short(known.small.startS)} s, ${whole(known.small.restMb)} MB at rest, ${whole(known.small.watchedMb)} MB with one printer
watched and its page open, ${whole(known.small.mostMb)} MB at most with the system's cache of files while 64 MB of G-code came; nothing was ended for want of memory. One printer watched took ${short(known.small.percent)} % of the core; the detector's look ${short(known.small.lookMs)} ms of
processor time, one in ten seconds for each printer that prints.

**A Raspberry Pi 4 (64 bits, 2 GB or more) is an estimate**: nobody has run it there, and an emulator says nothing of time. Its core is three to five times slower at such work than the one measured, by what is published of single cores;
so a look takes it ${short((known.small.lookMs * 3) / 1_000)} to ${short((known.small.lookMs * 5) / 1_000)} s of one of four cores, and a printer watched ${whole(known.small.percent * 3)} to ${whole(known.small.percent * 5)} % of one. A home's printers are no burden to it; what is slow is its first start, and films.

## Where the money goes

With ${whole(large)} printers it is pictures: ${whole(most.picturesASecond)} a second in the busy hour, each a file in S3 that costs more to put there than to keep, and ${short(most.detectorCores)} cores that look at them. Whoever gets that far keeps
frames for days, not a month, and packs those of a minute into one object; both are settings or a change of one room (\`prints/films\`), and no shard helps with it.

## Partitions

\`frames\`, \`decisions\`, \`printer_events\` and \`audit\` have a partition for each month (\`ensure_partitions\`, two months ahead), and everything asks them by print or by time, so an old month is
out of the way of all indexes. Frames and decisions go print by print, \`FRAME_RETENTION_DAYS\` after its end; at a million printers whole partitions would have to go instead, of a day each. Files of pictures lie by print. Temperatures are no rows of a point: a print has pieces of five minutes, of which it keeps
2,880 points in all, in \`print_temperatures\`; at 10,000 printers that is ${whole(10_000 * use.printsADay)} rows a day, and needs none. From some 100,000 printers on a month of \`frames\` (${whole((100_000 * use.printingOnAverage * 86_400 * 30) / use.secondsBetweenPictures / 1e6)} million rows) wants
partitions of a day: a change of that function.

## Shards

One PostgreSQL is asked for ${MOST_OF_ONE.cores} cores, ${MOST_OF_ONE.walMb} MB of changes a second and ${whole(MOST_OF_ONE.databaseGb)} GB at most: what a copy of it follows, and what is restored within a night. With ${whole(large)} printers that is ${whole(most.shards)} shards of ${whole(each)} printers.
Nodes need none: any node takes any agent, and what is known of one now is in Redis, by printer.

**This is a plan; today's program knows one database.** A shard is a whole Vigil: PostgreSQL, Redis and its nodes. An account is in one shard with its printers, prints and households, as everything of theirs is
asked for together (\`printersVisibleTo\`, docs/decisions/0018); nothing crosses. Ids of a shard begin at its number times ten million, so that whoever sees a printer's id, in an address, a job or a
picture's path, knows its shard without asking: \`floor(id / 10,000,000)\`. What names no id is looked up by the proxy in a small table that all shards share and that changes with an account, not with a status:
the hash of an agent's token, a session, an address of mail, a share link, each with the number of its shard. An agent comes with its token, is looked up once for each connection, and stays. Moving an account is a backup of its rows, its
files copied, and that table.
`
}
