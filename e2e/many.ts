import { randomBytes } from 'node:crypto'
import { asId } from '../server/test/ids.ts'
import { inside } from './filmed.ts'
import type { Vigil } from './vigil.ts'

/** What an owner has as many of as are asked for. */
export interface Many {
  /** Printers; the first one is the one that agents, links and dialogs are about. */
  readonly printers: readonly { id: number; token: string }[]
  /** Ended prints, the oldest first. */
  readonly prints: readonly number[]
}

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Names as people give them, the longest as long as a form takes them in practice. */
const PRINTERS = [
  'Voron in the cellar',
  'Prusa',
  'Ender by the window',
  'The old Anycubic with the second-hand hotend of my neighbour',
  'Küche 3',
  'Werkstatt links',
  '打印机八号',
]
const FILES = [
  'vase_spiral.gcode',
  'bracket_left_v3_PETG_0.2mm_MK4S_3h41m_with_supports_final_final2.gcode',
  'lid 120 mm.gcode',
  '花瓶.gcode',
  'hinge_set_x6.gcode',
  'clip.gcode',
  'spacer_40.gcode',
]
const nameOf = (names: readonly string[], n: number) => {
  const name = names[n % names.length] ?? ''
  return n < names.length ? name : name.replace(/(\.gcode)?$/, ` ${n}$1`)
}
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at)
/** Three came a day, the last of the most that there are an hour ago. */
const MOST = 60
const ago = (n: number) => new Date(Date.now() - HOUR - (MOST - n) * 8 * HOUR)

/** Gives the only owner of a server more of everything that stands in lists and dialogs: from `had` of each to `count`. */
export async function grow(vigil: Vigil, had: Many, count: number): Promise<Many> {
  const from = had.printers.length
  const rows = range(from, count)
  if (rows.length === 0) return had
  return await inside(vigil, async (db, files) => {
    const { id: userId } = await db.selectFrom('users').select('id').orderBy('id').executeTakeFirstOrThrow()
    const made = await db
      .insertInto('printers')
      .values(rows.map((n) => asId(aPrinter(userId, n))))
      .returning(['id', 'authToken as token'])
      .execute()
    const printers = [...had.printers, ...made]
    const printerOf = (n: number) => printers[n % printers.length]?.id
    const first = printers[0]?.id
    const prints = await db
      .insertInto('prints')
      .values(rows.map((n) => asId({ userId, printerId: printerOf(n), ...aPrint(n) })))
      .returning('id')
      .execute()
    const events = rows.map((n, at) => anEvent(n, prints[at]?.id, nameOf(PRINTERS, n % printers.length)))
    await db
      .insertInto('printerEvents')
      .values(events.map((event, at) => asId({ userId, printerId: printerOf(from + at), ...event })))
      .execute()
    for (const n of rows)
      await files.put({ container: 'tsd-gcodes', path: `many/${userId}/${n}.gcode` }, Buffer.from('G28\n'))
    const stored = await db
      .insertInto('gCodeFiles')
      .values(rows.map((n) => asId({ userId, ...aFile(userId, n) })))
      .returning('id')
      .execute()
    const queued = stored.map(({ id }, at) => {
      const n = from + at
      const printerId = n % 3 === 0 ? null : printerOf(n)
      return { userId, gCodeFileId: id, printerId, copies: 1 + (n % 4), place: 1_000 + n }
    })
    await db
      .insertInto('queueEntries')
      .values(queued.map((entry) => asId(entry)))
      .execute()
    const folders = rows.map((n) => `Folder ${n}, ${nameOf(PRINTERS, n)}`.slice(0, 60))
    await db
      .insertInto('gCodeFolders')
      .values(folders.map((name) => asId({ userId, name, safeName: name })))
      .execute()
    const links = rows.map((n) => ({ printerId: first, shareToken: randomBytes(16).toString('hex'), n }))
    await db
      .insertInto('sharedResources')
      .values(
        links.map(({ n, ...link }) =>
          asId({ ...link, isDefault: n === 0, label: n === 0 ? '' : `Guest ${n}` }),
        ),
      )
      .execute()
    await db
      .insertInto('accessTokens')
      .values(rows.flatMap((n) => aToken(n).map((token) => asId({ userId, ...token }))))
      .execute()
    await db
      .insertInto('sessions')
      .values(rows.map((n) => asId({ userId, ...aSession(n) })))
      .execute()
    return { printers, prints: [...had.prints, ...prints.map(({ id }) => id)] }
  })
}

const aPrinter = (userId: number, n: number) => ({
  userId,
  name: nameOf(PRINTERS, n),
  authToken: randomBytes(10).toString('hex'),
  agentName: n % 2 === 0 ? 'moonraker_obico' : 'octoprint_obico',
  agentVersion: n % 2 === 0 ? '2.1.0' : '2.5.1',
  agentSeenAt: ago(n),
  linkedAt: ago(n - MOST),
})

function aPrint(n: number) {
  const seconds = 600 + n * 1_300
  const finishedAt = ago(n)
  const isAlerted = n % 5 === 1
  return {
    filename: nameOf(FILES, n),
    startedAt: new Date(finishedAt.getTime() - seconds * 1_000),
    finishedAt: n % 4 === 2 ? null : finishedAt,
    cancelledAt: n % 4 === 2 ? finishedAt : null,
    alertedAt: isAlerted ? new Date(finishedAt.getTime() - 300_000) : null,
    alertOverwrite: isAlerted && n % 2 === 0 ? 'FAILED' : null,
    printTime: seconds,
    filamentUsed: n % 6 === 5 ? null : 900 + n * 410,
    watchedSeconds: n % 7 === 3 ? 0 : seconds,
    watchedOf: seconds,
    scoreCurve: range(0, 32).map((at) => Math.round(isAlerted ? at * 2.6 : 6 + (at % 3) * 3)),
  }
}

function anEvent(n: number, printId: unknown, printer: string) {
  const file = nameOf(FILES, n)
  const createdAt = ago(n)
  const kinds = [
    { eventType: 'ENDED', eventClass: 'SUCCESS', code: 'print_finished' },
    { eventType: 'FAILURE_ALERTED', eventClass: 'ERROR', code: 'failure_paused' },
    { eventType: 'ENDED', eventClass: 'WARNING', code: 'print_cancelled' },
    { eventType: 'PRINTER_ERROR', eventClass: 'ERROR', code: null },
    { eventType: 'PAUSED', eventClass: 'INFO', code: 'print_paused' },
  ]
  const kind = kinds[n % kinds.length]
  const own = {
    eventTitle: 'MCU ‘mcu’ shutdown',
    eventText: 'Timer too close. Once the underlying issue is corrected, use FIRMWARE_RESTART.',
  }
  return {
    ...kind,
    printId: kind?.code === null ? null : printId,
    params: JSON.stringify({ printer, file }),
    createdAt,
    ...(kind?.code === null && own),
  }
}

function aFile(userId: number, n: number) {
  const filename = nameOf(FILES, n)
  const seconds = 900 + n * 1_700
  const millimetres = 1_200 + n * 380
  return {
    filename,
    safeFilename: filename,
    content: JSON.stringify({ container: 'tsd-gcodes', path: `many/${userId}/${n}.gcode` }),
    numBytes: 40_000 + n * 611_000,
    estimatedTime: seconds,
    filamentTotal: millimetres,
    metadataJson: JSON.stringify({
      estimated_time: seconds,
      filament_total: millimetres,
      filament_type: n % 2 === 0 ? 'PLA' : 'PETG',
    }),
    createdAt: new Date(Date.now() - (MOST - n) * DAY),
  }
}

const aToken = (n: number) => [
  {
    kind: 'key',
    application: `PrusaSlicer at desk ${n}`,
    tokenHash: randomBytes(32),
    hint: 'a1b2',
    scope: 'slicer',
  },
  {
    kind: 'app',
    application: `OctoApp ${n}`,
    tokenHash: randomBytes(32),
    scope: 'read write',
    lastUsedAt: ago(n),
  },
]

const aSession = (n: number) => ({
  tokenHash: randomBytes(32),
  remember: true,
  expiresAt: new Date(Date.now() + DAY * 10),
  createdAt: ago(n),
  seenAt: ago(n),
  usedAt: ago(n),
  address: `192.0.2.${n}`,
  agent:
    n % 2 === 0
      ? 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
      : 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
})
