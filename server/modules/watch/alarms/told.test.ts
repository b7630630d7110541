/** Each state of a printer, of both flavours, in each moment of a print: what its owner is told within a minute, and what its page says. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { livePictures } from '../../../engines/inference/fixtures/live.fixture.ts'
import { printsLookedAt } from '../../../engines/metrics/index.ts'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { connectAgent, eventually, type WireAgent } from '../../../test/wire/agent.ts'
import { replay } from '../../../test/wire/replay.ts'
import { allLookedAt } from '../detection/index.ts'
import { aDetector } from './faults.fixture.ts'
import { asId } from '../../../test/ids.ts'
import {
  KLIPPER,
  type Moment,
  MOMENTS,
  octo,
  OCTOPRINT,
  PRINTING,
  type State,
  TOLD,
  WORDS,
} from './told.fixture.ts'

const STEP_MS = 5_000
const { detector } = aDetector()
let app: TestApp
let owner: TestUser
let live: Buffer[]
const agents: WireAgent[] = []

beforeAll(async () => {
  app = await buildTestApp({ env: { DETECTION_TIME_SCALE: '100' }, detector })
  owner = await aUser(app)
  live = await livePictures(20)
})
afterAll(async () => {
  for (const { ws } of agents) ws.terminate()
  await app.close()
})

class Case {
  readonly name: string
  readonly isIdle: boolean
  readonly state: State
  readonly printer: { id: number; auth_token: string }
  agent: WireAgent
  constructor(name: string, moment: Moment, state: State, printer: Case['printer'], agent: WireAgent) {
    this.name = name
    this.isIdle = moment === 'idle'
    this.state = state
    this.printer = printer
    this.agent = agent
    this.answer()
  }
  answer() {
    agents.push(this.agent)
    this.agent.ws.on('message', (data: Buffer) => {
      const asked = (JSON.parse(String(data)) as { passthru?: { ref: string; func: string } }).passthru
      if (asked && this.state.answers)
        this.agent.send({ passthru: { ref: asked.ref, ...this.state.answers(asked.func) } })
    })
  }
  async connect() {
    this.agent = await connectAgent(app, this.printer.auth_token)
    this.answer()
    // Then it is known to be there, however busy the machine is.
    await this.agent.hear((message) => message.remote_status !== undefined, 60_000)
  }
  say(says: Record<string, unknown>) {
    if (Object.keys(says).length === 0) return this.agent.send({})
    const status = { _ts: app.ctx.clock.now() / 1000, job: { file: { name: 'vase.gcode' } }, ...says }
    this.agent.send({ current_print_ts: this.isIdle ? -1 : 1_700_000_000, status })
  }
}

const shown = async (id: number) =>
  (await call(app, 'GET', `/api/v1/printers/${id}/`, { cookie: owner.cookie })).json as Printer

async function begin(flavour: string, moment: Moment, name: string, state: State): Promise<Case> {
  const printer = await aPrinter(app, owner, `${flavour} ${moment} ${name}`)
  const agent = await connectAgent(app, printer.auth_token)
  const one = new Case(`${flavour} ${moment} ${name}`, moment, state, printer, agent)
  const settings = {
    agent: { name: flavour === 'klipper' ? 'moonraker_obico' : 'octoprint_obico', version: '2.1' },
  }
  agent.send({ settings })
  if (moment === 'idle') one.say(OCTOPRINT['Operational']!.says!)
  else {
    one.say(PRINTING.says!)
    // Until all are there it stands still: however long that takes, no time to be watched has passed.
    one.say(octo('Paused', ['operational', 'paused']).says!)
  }
  await isShown(one, moment === 'idle' ? 'Operational' : 'Paused')
  return one
}

const isShown = ({ printer, isIdle }: Case, text: string) =>
  eventually(async () => {
    const { status, current_print: print } = await shown(printer.id)
    const state = status?.['state'] as { text?: string } | undefined
    return state?.text === text && (isIdle || print) ? true : undefined
  })

/** They print, all from now on. */
async function goOn(cases: readonly Case[]) {
  for (const one of cases) one.say(PRINTING.says!)
  await Promise.all(cases.map((one) => isShown(one, 'Printing')))
}

let passedAt = 0

/** Five seconds pass, when all pictures were judged, and each print is looked at. */
async function pass() {
  await allLookedAt()
  // the time that a busy machine took is a part of them
  const lasted = performance.now() - passedAt
  app.advance(Math.max(0, STEP_MS - lasted))
  passedAt = performance.now()
  await lookedAt()
}

/** Each print is looked at as it stands now. */
async function lookedAt() {
  const from = app.ctx.clock.now()
  await eventually(async () => {
    const [last] = (await printsLookedAt.get()).values
    return (last?.value ?? 0) * 1000 >= from ? true : undefined
  })
}

async function post({ printer }: Case, step: number) {
  const form = new FormData()
  form.set('is_primary_camera', 'True')
  form.set('pic', new Blob([Uint8Array.from(live[step % live.length]!)]), 'pic')
  const headers = { authorization: `Token ${printer.auth_token}` }
  await fetch(`${app.url}/api/v1/octo/pic/`, { method: 'POST', headers, body: form })
}

async function told(id: number) {
  const rows = await app.ctx.db
    .selectFrom('printerEvents')
    .select(['code', 'params'])
    .where('printerId', '=', asId(id))
    .orderBy('id')
    .execute()
  return rows
    .filter(({ code }) => ['not_watching', 'print_interrupted', 'watching_again'].includes(code ?? ''))
    .map(({ code, params }) => {
      const { why, klipper, said } = params as Record<string, string | null>
      return [code, why, klipper, said].filter(Boolean).join(' ')
    })
    .join(', ')
}

async function play(cases: readonly Case[]) {
  // Who is lost is told by how the print stood when it was last looked at.
  await lookedAt()
  passedAt = performance.now()
  for (const one of cases)
    if (one.state.does === 'left' || one.state.does === 'brief') one.agent.ws.terminate()
  await Promise.all(cases.filter(({ agent }) => agent.ws.readyState > 1).map(({ agent }) => agent.end()))
  for (let step = 1; step <= 12; step++) {
    for (const one of cases) {
      const { does, says } = one.state
      if (does === 'left' || (does === 'brief' && step < 4)) continue
      if (does === 'brief' && step === 4) await one.connect()
      if (does !== 'mute' && says) one.say(says)
      one.agent.ws.pong()
      const isSeen = does === 'mute' || (says?.['state'] as { text?: string })?.text === 'Printing'
      if (step % 2 === 0 && isSeen) await post(one, step)
    }
    await pass()
    const mute = cases.filter(({ state, name }) => state.does === 'mute' && name.includes('printing'))
    // The beat of lines does not follow the clock.
    const beat =
      step === 8
        ? (one: Case) => one.agent.heard.some(({ remote_status: s }, i) => i > 0 && s?.viewing === false)
        : null
    if (beat) for (const one of mute) await eventually(() => beat(one) || undefined)
    if (step === 11)
      for (const { printer } of mute)
        await eventually(async () =>
          (await shown(printer.id)).watch.code === 'agent_mute' ? true : undefined,
        )
  }
}

test('each state of a printer in each moment of a print', async () => {
  const cases: Case[] = []
  for (const [flavour, states] of Object.entries({ octoprint: OCTOPRINT, klipper: KLIPPER }))
    for (const moment of MOMENTS)
      // All at once: how long this takes counts, too.
      cases.push(
        ...(await Promise.all(
          Object.entries(states).map(([name, state]) => begin(flavour, moment, name, state)),
        )),
      )
  await goOn(cases.filter(({ name }) => name.split(' ')[1] === 'printing'))
  await play(cases)
  const all = await Promise.all(
    cases.map(async ({ name, printer }) => [name, await told(printer.id)] as const),
  )
  expect(Object.fromEntries(all.filter(([, what]) => what !== ''))).toEqual(TOLD)

  const page = async (name: string) => await shown(cases.find((one) => one.name === name)!.printer.id)
  expect(await page('klipper printing shutdown')).toMatchObject({
    status: null,
    not_watching_code: 'printer_lost',
    agent: { state: 'connected', away: { state: 'shutdown', message: WORDS } },
    watch: { state: 'blind' },
  })
  expect((await page('klipper idle shutdown')).agent.away).toMatchObject({ state: 'shutdown' })
  expect((await page('klipper printing disconnected')).agent.away).toMatchObject({
    state: 'disconnected',
    message: null,
  })
  for (const { agent } of cases) agent.ws.terminate()
}, 300_000)

test('without hours what is printed is told, once; of what stands still, or is muted, nothing is', async () => {
  const paused = octo('Paused', ['operational', 'paused'])
  const [printing, muted, still] = await Promise.all([
    begin('octoprint', 'printing', 'without hours', PRINTING),
    begin('octoprint', 'printing', 'without hours and muted', PRINTING),
    begin('octoprint', 'paused', 'without hours', paused),
  ])
  const cases = [printing, muted, still]
  const prints = app.ctx.db.updateTable('prints')
  for (const { printer } of cases)
    await prints.set({ hoursAtStart: -1 }).where('printerId', '=', asId(printer.id)).execute()
  await prints.set({ alertMutedAt: new Date() }).where('printerId', '=', asId(muted.printer.id)).execute()
  await goOn([printing, muted])
  await play(cases)
  expect(await Promise.all(cases.map(({ printer }) => told(printer.id)))).toEqual([
    'not_watching no_hours',
    '',
    '',
  ])
  const states = await Promise.all(cases.map(async ({ printer }) => (await shown(printer.id)).watch))
  expect(states.map(({ state, code }) => [state, code])).toEqual([
    ['blind', 'no_hours'],
    ['not_watching', 'no_hours'],
    ['not_watching', 'no_hours'],
  ])
  for (const { agent } of cases) agent.ws.terminate()
}, 120_000)

test.each(['klipper-2-shutdown', 'klipper-3-pause-resume'])(
  'a real Klipper that shuts down in mid-print is told: %s',
  async (name) => {
    const printer = await aPrinter(app, owner, name)
    const { agent } = await replay(app, name, { owner, printer })
    agents.push(agent)
    for (let step = 1; step <= 7; step++) {
      agent.ws.pong()
      await pass()
    }
    expect(await told(printer.id)).toBe('print_interrupted printer_lost')
    expect((await shown(printer.id)).agent.away).toMatchObject({ state: null })
  },
  120_000,
)
