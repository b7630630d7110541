/** One act has one meaning, wherever it is pressed: in a message, on a broker, on the page, in an app, by a program. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { commandsOf, greeted, printing } from '../../../test/faults/support.ts'
import { eventually, type WireAgent } from '../../../test/wire/agent.ts'
import { writeEvent } from '../../core/events/index.ts'
import { aStandIn, type StandIn } from '../../tell/notifications/standin.fixture.ts'
import { tell } from '../../core/presence/index.ts'
import { aMosquitto, hasMosquitto, type Listener, type Mosquitto } from './mosquitto.fixture.ts'
import { asId } from '../../../test/ids.ts'

const BROKER = 'mqtt://broker.example:1883'
const NTFY = 'https://ntfy.example'
const GOTIFY = 'https://gotify.example'
const HOME = 'https://vigil.example'

/** What was done: what the agent was sent, what is known of the alert, what the person was told at once. */
interface Done {
  readonly sent: readonly string[]
  readonly answered: string
  readonly said: string
}
type Door = 'message' | 'broker' | 'page' | 'program' | 'app'

/** By the names of each door; where one is missing that door has no such act. */
const ACTS = {
  pause: { message: 'pause', broker: 'pause', call: 'pause_print' },
  resume: { broker: 'resume', call: 'resume_print' },
  cancel: { call: 'cancel_print' },
  'not a failure': {
    message: 'fine',
    broker: 'not_a_failure',
    call: 'acknowledge_alert/?alert_overwrite=NOT_FAILED',
  },
  'a failure': { call: 'acknowledge_alert/?alert_overwrite=FAILED' },
  seen: { message: 'seen', call: 'acknowledge_alert' },
  mute: { call: 'mute_current_print/?mute_alert=true' },
} as const
type Act = keyof typeof ACTS

/** How the print stands when somebody presses. */
type Moment = 'going on' | 'paused by us' | 'agent away'

/** What is meant by each. */
const MEANT: readonly (readonly [Act, Moment, Done])[] = [
  ['pause', 'going on', { sent: ['pause'], answered: 'no', said: 'done' }],
  ['resume', 'paused by us', { sent: ['resume'], answered: 'NOT_FAILED', said: 'done' }],
  ['cancel', 'going on', { sent: ['cancel'], answered: 'FAILED', said: 'done' }],
  ['not a failure', 'going on', { sent: [], answered: 'NOT_FAILED', said: 'done' }],
  ['not a failure', 'paused by us', { sent: ['resume'], answered: 'NOT_FAILED', said: 'done' }],
  ['a failure', 'going on', { sent: [], answered: 'FAILED', said: 'done' }],
  ['seen', 'going on', { sent: [], answered: 'seen', said: 'done' }],
  ['seen', 'paused by us', { sent: [], answered: 'seen', said: 'done' }],
  ['mute', 'going on', { sent: [], answered: 'muted', said: 'done' }],
  ['pause', 'agent away', { sent: [], answered: 'no', said: 'refused' }],
]

describe.skipIf(!hasMosquitto())('every act through every door', { timeout: 300_000 }, () => {
  let broker: Mosquitto
  let home: Listener
  let app: TestApp
  let ntfy: StandIn
  let gotify: StandIn
  let owner: TestUser
  let printer: { id: number; auth_token: string }
  let agent: WireAgent
  let key = 1_790_000_000

  beforeAll(async () => {
    broker = await aMosquitto()
    ntfy = await aStandIn()
    gotify = await aStandIn()
    const standIns = [`${BROKER}=${broker.address}`, `${NTFY}=${ntfy.url}`, `${GOTIFY}=${gotify.url}`]
    app = await buildTestApp({ env: { PUBLIC_URL: HOME, OUTGOING_STAND_INS: standIns.join(',') } })
    owner = await aUser(app)
    printer = await aPrinter(app, owner, 'Voron')
    agent = await greeted(app, printer.auth_token)
    home = await broker.listener()
    const set = (name: string, config: object) =>
      call(app, 'POST', '/api/v1/notification_settings/', { cookie: owner.cookie, body: { name, config } })
    await set('mqtt', { broker_url: BROKER, username: 'vigil', password: 'secret' })
    await set('ntfy', { ntfy_url: `${NTFY}/topic` })
    await set('gotify', { gotify_url: GOTIFY, app_token: 'A' })
    const body = { escalate_after: 5, escalation_steps: { ntfy: 0, gotify: 1 } }
    await call(app, 'PATCH', '/api/v1/notification_rules/', { cookie: owner.cookie, body })
  })
  afterAll(async () => {
    agent.ws.terminate()
    await app.close()
    await broker.close()
    await Promise.all([ntfy.close(), gotify.close()])
  })

  const status = (flags: object, text: string) => {
    const said = printing(key)
    return {
      ...said,
      status: {
        ...said.status,
        _ts: app.ctx.clock.now() / 1000,
        state: { text, flags },
        job: { file: { name: `${key}.gcode` } },
      },
    }
  }
  const printOf = (id: number) =>
    app.ctx.db.selectFrom('prints').selectAll().where('id', '=', asId(id)).executeTakeFirstOrThrow()

  /** A new print of this printer, failing as the moment says; returns it with the path of its message's links. */
  async function aFailingPrint(moment: Moment, door?: Door): Promise<{ printId: number; link: string }> {
    key += 1_000
    agent.send(status({ printing: true }, 'Printing'))
    const { id: printId } = await eventually(() =>
      app.ctx.db
        .selectFrom('prints')
        .innerJoin('printers', 'printers.currentPrintId', 'prints.id')
        .select('prints.id')
        .where('prints.extId', '=', key)
        .executeTakeFirst(),
    )
    const told = alerts().length
    const isPaused = moment === 'paused by us'
    await app.ctx.db.transaction().execute(async (tx) => {
      const at = new Date(app.ctx.clock.now())
      const columns = { alertedAt: at, ...(isPaused && { pausedAt: at, pausedBy: 'vigil' as const }) }
      await tx.updateTable('prints').set(columns).where('id', '=', printId).execute()
      const of = { userId: owner.id, printerId: printer.id, printId, type: 'FAILURE_ALERTED' } as const
      const code = isPaused ? 'failure_paused' : 'failure_alerted'
      await writeEvent({ ...app.ctx, db: tx }, asId({ ...of, class: 'ERROR', code }))
    })
    if (isPaused) agent.send(status({ paused: true }, 'Paused'))
    tell(app.ctx, asId(printer.id), 'changed')
    const shown = isPaused ? 'paused' : 'printing'
    if (door === 'broker')
      await home.on(`/printer/${printer.id}/state`, (payload) => {
        const { file, failure, state } = JSON.parse(String(payload)) as Record<string, unknown>
        return file === `${key}.gcode` && failure === 'ON' && state === shown
      })
    await eventually(async () => {
      const { json } = await call(app, 'GET', `/api/v1/printers/${printer.id}/`, { cookie: owner.cookie })
      return (
        (isPaused ? json.status?.state?.text === 'Paused' : json.current_print?.id === printId) || undefined
      )
    })
    const message = await eventually(() => alerts()[told])
    return { printId, link: String(message.headers['click']).replace(HOME, '') }
  }

  /** That the print before has ended is told, too. */
  const alerts = () => ntfy.asked.filter(({ headers }) => String(headers['title']).endsWith('failure alert'))

  const byCall = async (door: Door, path: string): Promise<string> => {
    const at = `/api/v1/printers/${printer.id}/${path.includes('/') ? path : `${path}/`}`
    const { json } =
      door === 'page'
        ? await call(app, 'POST', at, { cookie: owner.cookie })
        : door === 'program'
          ? await call(app, 'POST', at, { token: owner.token })
          : await call(app, 'GET', at, { cookie: owner.cookie, headers: { 'x-tsd-platform': 'ios' } })
    return json.succeeded ? 'done' : `refused: ${json.detail}`
  }
  const byMessage = async (link: string, what: string): Promise<string> => {
    const answer = await fetch(`${app.url}${link}${what}/`, { method: 'POST', body: new URLSearchParams() })
    const page = await answer.text()
    const [, title = ''] = /<h1>([^<]*)</.exec(page) ?? []
    const [, refusal] = /role="alert"[^>]*>([^<]*)</.exec(page) ?? []
    if (refusal !== undefined) return `refused: ${refusal.replaceAll('&#39;', "'")}`
    return /told to|Thank you|Noted/.test(title) ? 'done' : title
  }
  const byBroker = async (button: string): Promise<string> => {
    const results = () => home.heard.filter(({ topic }) => topic.endsWith('/result'))
    const before = results().length
    const [state] = home.heard.filter(({ topic }) => topic.endsWith(`/printer/${printer.id}/state`))
    await home.say((state?.topic ?? '').replace(/state$/, 'command'), button)
    const { payload } = await eventually(() => results()[before])
    const { succeeded, detail } = JSON.parse(String(payload)) as { succeeded: boolean; detail?: string }
    return succeeded ? 'done' : `refused: ${detail}`
  }

  /** What became of the print's alert. */
  async function answeredOf(printId: number): Promise<string> {
    const print = await printOf(printId)
    if (print.alertMutedAt !== null) return 'muted'
    if (print.alertAcknowledgedAt === null) return 'no'
    return print.alertOverwrite ?? (print.alertSeenAt === null ? '?' : 'seen')
  }

  async function press(act: Act, moment: Moment, door: Door): Promise<Done | null> {
    const names: { message?: string; broker?: string; call: string } = ACTS[act]
    const name = door === 'message' ? names.message : door === 'broker' ? names.broker : names.call
    if (name === undefined) return null
    const { printId, link } = await aFailingPrint(moment, door)
    if (moment === 'agent away') await away()
    const before = commandsOf(agent).length
    const said =
      door === 'message'
        ? await byMessage(link, name)
        : door === 'broker'
          ? await byBroker(name)
          : await byCall(door, name)
    if (
      moment !== 'agent away' &&
      MEANT.some(([one, when, of]) => one === act && when === moment && of.sent.length)
    )
      await eventually(() => commandsOf(agent).length > before || undefined)
    const done = { sent: commandsOf(agent).slice(before), answered: await answeredOf(printId), said }
    if (moment === 'agent away') agent = await greeted(app, printer.auth_token)
    return done
  }
  async function away(): Promise<void> {
    agent.ws.terminate()
    await agent.end()
  }

  test.each(MEANT)('%s, of a print that is %s', async (act, moment, { sent, answered, said: wanted }) => {
    const doors: Door[] = ['message', 'broker', 'page', 'program', 'app']
    const refusals = new Set<string>()
    for (const door of doors) {
      const done = await press(act, moment, door)
      if (done === null) continue
      const [said = '', ...why] = done.said.split(': ')
      if (why.length > 0) refusals.add(why.join(': '))
      expect({ door, ...done, said }).toEqual({ door, sent, answered, said: wanted })
    }
    expect(refusals.size, 'the same words of a refusal').toBe(wanted === 'refused' ? 1 : 0)
  })

  test('what somebody has said of an alert stays said when the print is cancelled after it', async () => {
    const { printId, link } = await aFailingPrint('going on')
    expect(await byMessage(link, 'fine')).toBe('done')
    expect(await byCall('page', 'cancel_print')).toBe('done')
    expect(await answeredOf(printId)).toBe('NOT_FAILED')
  })

  test('who is told only if nobody answers is not told of what was seen', async () => {
    for (const [isSeen, outcome] of [
      [true, 'answered'],
      [false, 'accepted'],
    ] as const) {
      await away()
      agent = await greeted(app, printer.auth_token)
      const { printId, link } = await aFailingPrint('going on')
      if (isSeen) expect(await byMessage(link, 'seen')).toBe('done')
      app.advance(6 * 60_000)
      const ended = await eventually(async () => {
        const rows = await app.ctx.db
          .selectFrom('deliveries')
          .select(['notice', 'outcome'])
          .where('channel', '=', 'gotify')
          .where('kind', '=', 'PrintFailure')
          .where('outcome', 'is not', null)
          .execute()
        return rows.find(({ notice }) => notice.print.id === printId)
      })
      expect(ended.outcome).toBe(outcome)
    }
  })
})
