import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { aStandIn, status, type StandIn } from '../server/modules/tell/notifications/standin.fixture.ts'
import type { Benchmark, Measurement } from './lib/benchmark.ts'
import { quantile } from './lib/numbers.ts'
import { webcamPicture } from './lib/picture.ts'
import { cpuOf } from './lib/processes.ts'
import { type BenchServer, startBenchServer } from './lib/server.ts'

const TOPIC = 'https://ntfy.sh'
const PRINTERS = 50
const MESSAGES = 1_000
const PER_SECOND = 25
const BURST = 200
const AIM_MS = 5_000
const WITHIN_MS = 60_000
const NOTICE = JSON.stringify({
  kind: 'PrintFailure',
  code: 'failure_alerted',
  printer: { id: 1, name: 'Bench', pauseOnFailure: true, watchingEnabled: true },
  print: { id: 1, filename: 'bench.gcode', startedAt: 0, endedAt: null, alertedAt: 0, alertOverwrite: null },
  picture: null,
  orientation: { flipH: false, flipV: false, rotation: 0 },
  isWarning: true,
  printPaused: false,
  heater: null,
})

/** A filament change with a picture, as an agent reports it: its way is the one of an alert that was just decided. */
async function report(
  server: BenchServer,
  token: string,
  title: string,
  picture: Uint8Array,
): Promise<number> {
  const form = new FormData()
  const fields = {
    event_type: 'FILAMENT_CHANGE',
    event_class: 'WARNING',
    event_title: title,
    event_text: '',
    notify: 'true',
  }
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('snapshot', new Blob([Uint8Array.from(picture)], { type: 'image/jpeg' }), 'x.jpg')
  const headers = { authorization: `Token ${token}` }
  const answer = await fetch(`${server.url}/api/v1/octo/printer_events/`, {
    method: 'POST',
    headers,
    body: form,
  })
  if (answer.status !== 200) throw new Error(`a report was answered ${answer.status}`)
  return Date.now()
}

const notifications: Benchmark = {
  name: 'notifications',
  conditions:
    `${MESSAGES} messages with a 640x480 picture, ${PER_SECOND} a second, of ${PRINTERS} printers of one owner, to an ntfy that answers ` +
    `at once; then ${BURST} in the same moment. From the event's commit (its report is answered, or its row's time) until the ` +
    'receiver has the picture and has accepted it, as the deliveries have it.',
  async run(say) {
    const receiver = await aStandIn()
    const server = await startBenchServer({
      env: { NODE_ENV: 'test', OUTGOING_STAND_INS: `${TOPIC}=${receiver.url}` },
    })
    try {
      const cookie = await server.signIn()
      const printers = await server.addPrinters(PRINTERS)
      const headers = { cookie, 'content-type': 'application/json' }
      const body = JSON.stringify({ name: 'ntfy', config: { ntfy_url: `${TOPIC}/bench` } })
      const made = await fetch(`${server.url}/api/v1/notification_settings/`, {
        method: 'POST',
        headers,
        body,
      })
      if (made.status !== 201) throw new Error(`the channel was answered ${made.status}`)
      const picture = await webcamPicture(640, 480)
      const tokenOf = (at: number) => printers[at % PRINTERS]?.auth_token ?? ''
      const took = async (from: number, count: number) => {
        const end = Date.now() + WITHIN_MS
        for (;;) {
          const rows = await server.query(
            `select extract(epoch from ended_at - created_at) * 1000 as ms from deliveries
             where outcome = 'accepted' order by id offset ${from}`,
          )
          if (rows.length >= count) return rows.map(({ ms }) => Number(ms))
          if (Date.now() > end) throw new Error(`${rows.length} of ${count} were accepted`)
          await sleep(200)
        }
      }
      const before = cpuOf(server.pid)
      const reporting: Promise<number>[] = []
      for (let at = 0; at < MESSAGES; at++) {
        reporting.push(report(server, tokenOf(at), `Change ${at}`, picture))
        await sleep(1000 / PER_SECOND)
      }
      await Promise.all(reporting)
      const steady = await took(0, MESSAGES)
      const after = cpuOf(server.pid)
      say(`steady: ${quantile(steady, 0.5)} ms in the middle`)
      await Promise.all(
        Array.from({ length: BURST }, (_, at) => report(server, tokenOf(at), `Burst ${at}`, picture)),
      )
      const burst = await took(MESSAGES, BURST)
      const cpu = (after.node + after.postgres - before.node - before.postgres) / MESSAGES
      return [
        { what: `one of ${MESSAGES}: accepted after, p50`, unit: 'ms', values: [quantile(steady, 0.5)] },
        {
          what: `one of ${MESSAGES}: accepted after, p99`,
          unit: 'ms',
          values: [quantile(steady, 0.99)],
          aim: { below: AIM_MS },
        },
        {
          what: `one of ${BURST} in the same moment: the last`,
          unit: 'ms',
          values: [Math.max(...burst)],
          aim: { below: AIM_MS },
        },
        { what: 'CPU of the server for one, its report included', unit: 'ms', values: [cpu * 1000] },
      ] satisfies Measurement[]
    } finally {
      await server.stop()
      await receiver.close()
    }
  },
}

const CHAOS = 10_000
const CHAOS_WITHIN_MS = 8 * 60_000

/** One in five stumbles: says so, hangs up, or says nothing for longer than anybody waits. */
function stumble(receiver: StandIn): void {
  receiver.answers((asked, response) => {
    const luck = Math.random()
    if (luck < 0.12) return status(503)(asked, response)
    if (luck < 0.15) return status(429, {}, { 'retry-after': '1' })(asked, response)
    if (luck < 0.195) return void response.destroy()
    return luck < 0.2 ? sleep(8_000) : undefined
  })
}

const chaos: Benchmark = {
  name: 'notifications-chaos',
  conditions:
    `${CHAOS} alerts that are owed at the same moment, to 20 webhooks that fail one call in five (503, 429, hung up, no answer), and the ` +
    'server killed twice (its child, -9) meanwhile. Until each was accepted; a copy is a webhook-id that was accepted before.',
  async run(say) {
    const receiver = await aStandIn()
    const hosts = Array.from({ length: 20 }, (_, at) => `https://hook${at}.example.org`)
    const server = await startBenchServer({
      env: { NODE_ENV: 'test', OUTGOING_STAND_INS: hosts.map((host) => `${host}=${receiver.url}`).join(',') },
    })
    try {
      await server.signIn()
      await server.query(
        `insert into users (email) select 'hook' || n || '@example.org' from generate_series(0, 19) n`,
      )
      await server.query(`insert into notification_settings (user_id, name, config)
        select id, 'webhook', json_build_object('custom_webhook_URL', 'https://' || split_part(email, '@', 1) || '.example.org/')
        from users where email like 'hook%'`)
      stumble(receiver)
      const began = Date.now()
      await server.query(`insert into deliveries (user_id, setting_id, channel, notice_key, kind, notice, due_at, expires_at)
        select s.user_id, s.id, 'webhook', 'chaos:' || n, 'PrintFailure', '${NOTICE}', now(), now() + interval '1 hour'
        from generate_series(1, ${CHAOS}) n join (select *, row_number() over (order by id) - 1 as at
          from notification_settings where name = 'webhook') s on s.at = n % 20`)
      const kills = [0.3, 0.6]
      const outcomes = async () =>
        await server.query(
          `select coalesce(outcome, 'open') as outcome, count(*)::int as n from deliveries group by 1`,
        )
      for (;;) {
        const rows = await outcomes()
        const of = (name: string) => Number(rows.find(({ outcome }) => outcome === name)?.['n'] ?? 0)
        if (kills[0] !== undefined && of('accepted') > kills[0] * CHAOS) {
          kills.shift()
          killChild(server.pid)
        }
        if (of('open') === 0) break
        if (Date.now() - began > CHAOS_WITHIN_MS) throw new Error(`${of('open')} are still open`)
        await sleep(1_000)
      }
      const rows = await outcomes()
      const lost = CHAOS - Number(rows.find(({ outcome }) => outcome === 'accepted')?.['n'] ?? 0)
      const copies = new Map<string, number>()
      for (const { headers, wasAccepted } of receiver.asked)
        if (wasAccepted)
          copies.set(String(headers['webhook-id']), (copies.get(String(headers['webhook-id'])) ?? 0) + 1)
      const twice = [...copies.values()].filter((count) => count > 1).length
      say(`${receiver.asked.length} calls`)
      return [
        { what: 'lost', unit: 'alerts', values: [lost], aim: { below: 1 } },
        {
          what: 'accepted more than once (32 were under way at the two kills)',
          unit: 'alerts',
          values: [twice],
          aim: { below: 33 },
        },
        { what: 'until the last was accepted', unit: 's', values: [(Date.now() - began) / 1000] },
      ]
    } finally {
      await server.stop()
      await receiver.close()
    }
  },
}

/** Kills the process that serves, not the one that keeps it. */
function killChild(keeper: number): void {
  const children = readFileSync(`/proc/${keeper}/task/${keeper}/children`, 'utf8')
    .trim()
    .split(' ')
    .map(Number)
  const child = children.find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('/child.'))
  if (child !== undefined) process.kill(child, 'SIGKILL')
}

export const benchmarks: readonly Benchmark[] = [notifications, chaos]
