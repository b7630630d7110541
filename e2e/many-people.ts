import { randomBytes } from 'node:crypto'
import type { Notice } from '../server/modules/tell/messages/notice.rules.ts'
import { asId } from '../server/test/ids.ts'
import { inside } from './filmed.ts'
import type { Vigil } from './vigil.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NAMES = ['Ada', 'Zhang Wei 张伟', 'Bob', 'Maximiliane Freifrau von Hohenstein-Wittgenstein', 'Li']
const ROLES = ['viewer', 'operator', 'owner'] as const
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at)
const ago = (n: number) => new Date(Date.now() - HOUR - (60 - n) * 8 * HOUR)

interface Has {
  /** The owner's printer that messages are about. */
  readonly printer: number
  /** A print that hours were spent on; there is none where there are none of anything. */
  readonly print: number | undefined
}

/** Gives the first owner of a server more of what is about people, from `had` of each to `count`: members, accounts, hours, messages, notices, put-away printers. */
export async function growPeople(vigil: Vigil, { printer, print }: Has, had: number, count: number) {
  const rows = range(had, count)
  if (rows.length === 0) return
  await inside(vigil, async (db) => {
    const { id: userId } = await db.selectFrom('users').select('id').orderBy('id').executeTakeFirstOrThrow()
    const people = await db
      .insertInto('users')
      .values(rows.map((n) => asId(aPerson(n))))
      .returning('id')
      .execute()
    await db
      .insertInto('memberships')
      .values(rows.map((n, at) => asId({ ownerId: userId, ...aMember(n, people[at]?.id) })))
      .execute()
    await db
      .insertInto('hourTransactions')
      .values(rows.map((n) => asId({ userId, ...someHours(n, print) })))
      .execute()
    await db
      .insertInto('deliveries')
      .values(rows.map((n) => asId({ userId, ...aMessage(n, printer) })))
      .execute()
    await db
      .insertInto('accountNotices')
      .values(rows.map((n) => aNotice(n)))
      .execute()
    await db
      .insertInto('printers')
      .values(rows.map((n) => asId({ userId, ...putAway(n) })))
      .execute()
  })
}

const aPerson = (n: number) => ({
  email: `person${n}@example.org`,
  firstName: NAMES[n % NAMES.length] ?? '',
  lastName: n < NAMES.length ? '' : String(n),
  passwordHash: null,
  createdAt: new Date(Date.now() - (60 - n) * DAY),
  lastActiveAt: n % 3 === 2 ? null : ago(n),
  isActive: n % 11 !== 7,
  isPro: n % 2 === 0,
})

/** Every third one has not come yet. */
const aMember = (n: number, memberId: unknown) => {
  const isIn = n % 3 !== 2
  return {
    memberId: isIn ? memberId : null,
    email: `person${n}@example.org`,
    role: ROLES[n % ROLES.length],
    printerIds: null,
    place: n % 5 === 1 ? n : null,
    linkId: randomBytes(8).toString('hex'),
    tokenHash: randomBytes(32),
    invitedAt: ago(n),
    expiresAt: new Date(Date.now() + (n % 9) * DAY - DAY),
    acceptedAt: isIn ? ago(n) : null,
  }
}

/** A month's hours first, then what prints took of them. */
const someHours = (n: number, print: number | undefined) => ({
  kind: n === 0 ? 'grant' : 'usage',
  bucket: n % 4 === 3 ? 'earned' : 'included',
  seconds: n === 0 ? 180_000 : -(600 + n * 37),
  balanceAfter: 180_000 - n * (600 + n * 18),
  reason: n === 0 ? 'monthly' : 'watched',
  printId: n === 0 ? null : (print ?? null),
  idempotencyKey: `many:${n}`,
  createdAt: ago(n),
})

const OUTCOMES = ['accepted', 'accepted', 'refused', 'accepted', 'expired'] as const
const CHANNELS = ['email', 'ntfy', 'webpush', 'telegram'] as const

function aMessage(n: number, printer: number) {
  const outcome = OUTCOMES[n % OUTCOMES.length]
  const notice = {
    kind: n % 3 === 0 ? 'PrintFailure' : 'PrintDone',
    code: null,
    printer: { id: printer, name: 'Voron in the cellar', pauseOnFailure: true, watchingEnabled: true },
    print: {
      id: 0,
      filename:
        n % 2 === 0 ? 'vase_spiral.gcode' : 'bracket_left_v3_PETG_0.2mm_MK4S_3h41m_final_final2.gcode',
      startedAt: ago(n).getTime() - HOUR,
      endedAt: ago(n).getTime(),
      alertedAt: null,
      alertOverwrite: null,
    },
    picture: null,
    orientation: { flipH: false, flipV: false, rotation: 0 },
    isWarning: false,
    printPaused: false,
    heater: null,
  } as unknown as Notice
  return {
    channel: CHANNELS[n % CHANNELS.length],
    kind: notice.kind,
    notice: JSON.stringify(notice),
    noticeKey: `many:${n}`,
    outcome,
    problem: outcome === 'refused' ? 'The channel answered 403.' : null,
    attempts: 1,
    createdAt: ago(n),
    dueAt: ago(n),
    endedAt: ago(n),
    expiresAt: new Date(Date.now() + DAY),
    settingId: null,
    summaryId: null,
    waitsFor: null,
  }
}

const aNotice = (n: number) => ({
  audience: 'all' as const,
  level: 'info' as const,
  titleEn: `Maintenance ${n}`,
  titleZh: `维护 ${n}`,
  bodyEn: 'The server restarts on Sunday at 06:00. Prints go on.',
  bodyZh: '服务器将于周日 06:00 重新启动，打印不受影响。',
  brand: null,
  linkEn: null,
  linkUrl: null,
  linkZh: null,
  dismissible: true,
  createdAt: ago(n),
  // To come: no page shows them yet.
  fromAt: new Date(Date.now() + (1 + n) * DAY),
  untilAt: n % 2 === 0 ? null : new Date(Date.now() + (9 + n) * DAY),
})

const putAway = (n: number) => ({
  name: `${NAMES[n % NAMES.length]}’s old printer ${n}`,
  authToken: randomBytes(10).toString('hex'),
  archivedAt: ago(n),
})
