import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { registry } from '../engines/metrics/index.ts'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from './app.ts'
import { greeted, postPicture, printing, shown } from './faults/support.ts'
import { eventually, type WireAgent } from './wire/agent.ts'
import { aStandIn, type StandIn } from '../modules/tell/notifications/standin.fixture.ts'

const TOKEN = 'a token for Prometheus alone'
const HOOK = 'https://hooks.example.org'
let app: TestApp
let owner: TestUser
let receiver: StandIn
let agent: WireAgent

beforeAll(async () => {
  receiver = await aStandIn()
  const env = { OUTGOING_STAND_INS: `${HOOK}=${receiver.url}` }
  app = await buildTestApp({ env: { ...env, METRICS_TOKEN: TOKEN } })
  owner = await aUser(app)
})
afterAll(async () => {
  agent?.ws.terminate()
  await Promise.all([app.close(), receiver.close()])
})

const ask = (authorization?: string, to = app) =>
  call(to, 'GET', '/metrics', { headers: authorization === undefined ? {} : { authorization } })
const read = async () => (await ask(`Bearer ${TOKEN}`)).text
/** The value of a series; undefined when there is none. */
const valueOf = (text: string, series: string) => {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

test('is there for its token alone, and not at all without the setting', async () => {
  const without = await buildTestApp()
  expect((await ask(undefined, without)).status).toBe(404)
  expect((await ask(`Bearer ${TOKEN}`, without)).status).toBe(404)
  // what is measured is of a process: beside another server nobody could tell whose it is
  await without.close()
  for (const wrong of [
    undefined,
    TOKEN,
    `Bearer ${TOKEN}x`,
    'Bearer ',
    `bearer ${TOKEN}`,
    `Basic ${btoa(TOKEN)}`,
  ]) {
    const { status, text } = await ask(wrong)
    expect([status, text]).toEqual([401, 'A token is needed.\n'])
  }
  expect((await call(app, 'GET', '/metrics', { cookie: owner.cookie })).status).toBe(401)
  const { status, headers, text } = await ask(`Bearer ${TOKEN}`)
  expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
    'no-store',
  ])
  expect(text).not.toContain(TOKEN)
})

test('counts what the server does', async () => {
  const channel = {
    name: 'webhook',
    config: { custom_webhook_URL: `${HOOK}/x` },
    notify_on_print_start: true,
  }
  await call(app, 'POST', '/api/v1/notification_settings/', { cookie: owner.cookie, body: channel })
  const printer = await aPrinter(app, owner, 'Named by its owner')
  agent = await greeted(app, printer.auth_token)
  agent.send(printing(1_790_000_000, 1))
  await shown(app, owner.cookie, printer.id, ({ current_print: print }) => print !== null, 60_000)
  await postPicture(app, printer.auth_token)
  await shown(app, owner.cookie, printer.id, ({ watch }) => watch.state === 'watching', 60_000)
  const pause = `/api/v1/printers/${printer.id}/pause_print/`
  expect((await call(app, 'POST', pause, { cookie: owner.cookie })).json).toMatchObject({ succeeded: true })
  const wanted = {
    vigil_agents_connected: 1,
    'vigil_snapshots_total{outcome="frame"}': 1,
    'vigil_detections_total{outcome="inspected"}': 1,
    vigil_detection_seconds_count: 1,
    'vigil_prints{watch="watching"}': 1,
    'vigil_commands_total{command="pause",outcome="sent"}': 1,
    'vigil_notifications_total{channel="webhook",outcome="accepted"}': 1,
    // The frame, and its copy that shows how the print began.
    'vigil_file_operations_total{operation="put",outcome="done"}': 2,
    vigil_db_up: 1,
    vigil_detector_up: 1,
    vigil_disk_full: 0,
    'vigil_http_requests_total{method="POST",route="/api/v1/printers/:id/pause_print/",status="200"}': 1,
  }
  // Each is seen at its value, not all in one moment: a picture gets old meanwhile.
  const missing = new Map<string, number>(Object.entries(wanted))
  let last: Record<string, number | undefined> = {}
  const look = async () => {
    const said = await read()
    last = Object.fromEntries([...missing.keys()].map((series) => [series, valueOf(said, series)]))
    for (const [series, value] of Object.entries(last))
      if (value === missing.get(series)) missing.delete(series)
    return missing.size === 0 ? said : undefined
  }
  const text = await eventually(look, 60_000, () => JSON.stringify(last))
  for (const name of [
    'vigil_jobs{',
    'vigil_db_connections{state="waiting"}',
    'vigil_disk_free_bytes',
    'nodejs_eventloop_lag_p99_seconds',
    'process_resident_memory_bytes',
    'process_open_fds',
  ])
    expect(text).toContain(name)
})

test('grows by nothing that a stranger sends: labels are lists of ours', async () => {
  const series = async () =>
    (await read())
      .split('\n')
      .filter((line) => line.startsWith('vigil_http_requests_total'))
      .map((line) => line.slice(0, line.lastIndexOf(' ')))
  await call(app, 'GET', '/nowhere/')
  const before = new Set(await series())
  for (let i = 0; i < 60; i++)
    for (const path of [
      `/nowhere-${i}/`,
      `/api/v1/printers/${i}9999/`,
      `/media/tsd-pics/${i}"} 1 %0a vigil_evil{x="`,
      `/printers/${i}/control/?q=${i}`,
      `/%F0%9F%92%A9${i}`,
    ])
      await fetch(app.url + path, { redirect: 'manual', headers: { 'user-agent': `u${i}` } })
  for (const method of ['PROPFIND', 'MKCOL', 'PURGE', 'SEARCH'])
    await fetch(`${app.url}/x`, { method }).catch(() => undefined)
  const after = await series()
  const added = after.filter((one) => !before.has(one))
  // One for each declared route and status, whoever asked how often.
  expect(added.length).toBeLessThanOrEqual(8)
  expect(after.join('\n')).not.toMatch(/nowhere-|evil|9999|💩|PROPFIND|user\d/)
  for (const name of ['Named by its owner', 'part.gcode', owner.email])
    expect(await read()).not.toContain(name)
})

/** What these alarms say of the series of a test. */
const SAID: Record<string, object> = {
  VigilMessagesRefused: { summary: 'Messages by telegram do not arrive.' },
  VigilBackupFailed: { summary: 'The nightly backup failed. The page System says why.' },
}

describe('what watches over the figures asks for what there is', () => {
  const read = (path: string) => readFileSync(join(import.meta.dirname, '../../deploy', path), 'utf8')
  const dashboard = JSON.parse(read('grafana.json')) as {
    panels: { title: string; targets?: { expr: string }[] }[]
  }
  const rules = parse(read('alerts.yml')) as { groups: { rules: { alert: string; expr: string }[] }[] }
  const queries: [string, string][] = [
    ...dashboard.panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => [title, expr] as [string, string]),
    ),
    ...rules.groups.flatMap((group) =>
      group.rules.map(({ alert, expr }) => [alert, expr] as [string, string]),
    ),
  ]
  /** Of Prometheus itself. */
  const OWN = new Set(['job', 'instance', 'le', 'datasource'])

  test.each(queries)('%s: %s', async (_, expr) => {
    await ask(`Bearer ${TOKEN}`)
    const all = await registry.getMetricsAsJSON()
    const labels = new Map(
      registry.getMetricsAsArray().map((one) => [one.name, Object(one).labelNames as string[]]),
    )
    const names = [...expr.matchAll(/\b(?:vigil|nodejs|process)_[a-z0-9_]+/g)].map(([name]) => name)
    if (names.length === 0) expect(expr).toMatch(/^up\b/)
    const known = new Set<string>(OWN)
    for (const name of names) {
      const metric = all.find((one) => one.name === name.replace(/_bucket$/, ''))
      expect([name, metric?.type.toString()]).toEqual([
        name,
        name.endsWith('_bucket') ? 'histogram' : expect.any(String),
      ])
      for (const label of labels.get(name.replace(/_bucket$/, '')) ?? []) known.add(label)
    }
    const asked = [
      ...[...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(',')),
      ...[...expr.matchAll(/([a-z]+)(?:=~|!=|!~|=)"/g)].map(([, label = '']) => label),
    ].map((label) => label.trim())
    for (const label of asked) expect([...known]).toContain(label)
  })

  const promtool = spawnSync('promtool', ['--version']).status === 0
  test.skipIf(!promtool)('and Prometheus can read it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vigil-promtool-'))
    const file = join(folder, 'all.yml')
    const asRules = queries.map(([, expr], n) => ({
      record: `q${n}`,
      expr: expr.replaceAll('$job', 'vigil'),
    }))
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'all', rules: asRules }] }))
    const checked = spawnSync('promtool', [
      'check',
      'rules',
      join(import.meta.dirname, '../../deploy/alerts.yml'),
      file,
    ])
    rmSync(folder, { recursive: true })
    expect([String(checked.stderr), checked.status]).toEqual(['', 0])
  })

  test.skipIf(!promtool)(
    'a first message that is refused, and a first backup that fails, raise their alarms',
    async () => {
      const { text } = await ask(`Bearer ${TOKEN}`)
      // Each is there at 0 before: what begins at 1 has not risen.
      expect(valueOf(text, 'vigil_notifications_total{channel="telegram",outcome="refused"}')).toBe(0)
      const folder = mkdtempSync(join(tmpdir(), 'vigil-promtool-'))
      const alarm = (alertname: string, labels: object) => ({
        eval_time: '6m',
        alertname,
        exp_alerts: [{ exp_labels: { severity: 'warn', ...labels } }],
      })
      const rises = (series: string) => ({ series, values: '0 0 0 0 0 1 1 1' })
      const tests = {
        rule_files: [join(import.meta.dirname, '../../deploy/alerts.yml')],
        tests: [
          {
            interval: '1m',
            input_series: [
              rises('vigil_notifications_total{channel="telegram",outcome="refused"}'),
              rises('vigil_backups_total{outcome="failed"}'),
            ],
            alert_rule_test: [
              alarm('VigilMessagesRefused', { channel: 'telegram' }),
              alarm('VigilBackupFailed', { outcome: 'failed' }),
            ].map((one) => ({
              ...one,
              exp_alerts: one.exp_alerts.map((is) => ({ ...is, exp_annotations: SAID[one.alertname] })),
            })),
          },
        ],
      }
      writeFileSync(join(folder, 'test.yml'), JSON.stringify(tests))
      const tested = spawnSync('promtool', ['test', 'rules', join(folder, 'test.yml')], { encoding: 'utf8' })
      rmSync(folder, { recursive: true })
      expect([tested.stdout + tested.stderr, tested.status]).toEqual([expect.stringContaining('SUCCESS'), 0])
    },
  )
})
