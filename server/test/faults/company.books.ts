/** What a company of nodes must still do, and what its books must say, whatever became of its nodes. */
import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { expect } from 'vitest'
import { agentWithJanus, openPage, play } from '../../modules/remote/video/video.fixture.ts'
import { asId } from '../ids.ts'
import { eventually } from '../wire/agent.ts'
import type { Company } from './company.ts'
import { type CompanyLoad, type Loaded, type Printer, startLoad } from './company.load.ts'
import { ask, shown } from './support.ts'

/** An agent comes back with its next status, a second later; the machine may be busy. */
const RECONNECTED_MS = 15_000
/** A picture has been taken so long after it was posted. */
const TAKEN_MS = 2_000
/** How long a command may be on its way (core/commands), and what it takes from socket to us. */
const LATE_MS = 16_000

/** A company with printers that print, browsers that look, and somebody who writes. */
export interface Busy {
  readonly company: Company
  readonly load: CompanyLoad
  readonly cookie: string
  /** It has a Janus, and its agent is no part of the load. */
  readonly camera: Printer
  /** How an app is let in to a printer's page. */
  readonly tunnel: URL
  /** Nodes that went, and when. */
  readonly went: { readonly name: string; readonly at: number }[]
}

/** Makes account and printers, and begins. */
export async function makeBusy(
  company: Company,
  many: { watched: number; commanded: number },
): Promise<Busy> {
  const cookie = (await company.nodes[0]?.running.signIn()) ?? ''
  const printers: Printer[] = []
  for (let at = 0; at <= many.watched + many.commanded; at++) {
    const made = await ask(company.proxy, 'POST', '/api/v1/printers/', { cookie, body: { name: `P${at}` } })
    expect(made.status).toBe(201)
    printers.push(made.json)
  }
  const [camera, ...others] = printers
  const [first] = others
  if (camera === undefined || first === undefined) throw new Error('no printers')
  const load = startLoad(company, {
    cookie,
    watched: others.slice(0, many.watched),
    commanded: others.slice(many.watched),
  })
  return { company, load, cookie, camera, tunnel: await aTunnel(company, cookie, first), went: [] }
}

/** The address at which an app enters a printer's page, with its name and password. */
async function aTunnel({ proxy }: Company, cookie: string, { id }: Printer): Promise<URL> {
  const body = { app_name: 'company', target_printer_id: id }
  const made = await ask(proxy, 'POST', '/api/v1/tunnels/', { cookie, body })
  expect([made.status, made.text]).toEqual([201, expect.stringContaining('tunnel_endpoint')])
  return new URL(made.json.tunnel_endpoint)
}

/** A request through a printer's tunnel, at a node: its status. */
async function throughTunnel(node: { readonly url: string }, tunnel: URL): Promise<number> {
  const password = Buffer.from(`${tunnel.username}:${tunnel.password}`).toString('base64')
  const headers = { host: tunnel.host, authorization: `Basic ${password}` }
  const asking = request({ host: '127.0.0.1', port: new URL(node.url).port, path: '/', headers })
  asking.end()
  const [answer] = (await once(asking, 'response')) as [IncomingMessage]
  await text(answer)
  return answer.statusCode ?? 0
}

/** At every node that serves, whichever holds their agents: statuses, tunnel and detector. */
export async function allWorks({ company, load, cookie, tunnel }: Busy): Promise<void> {
  for (const node of company.webs()) {
    const since = Date.now() / 1000 - 1
    for (const { printer } of load.watched)
      await shown(
        node,
        cookie,
        asId(printer.id),
        (one) => one.agent.state === 'connected' && one.status?._ts >= since,
      )
    await eventually(async () => ((await throughTunnel(node, tunnel)) === 200 ? true : undefined))
    await eventually(async () =>
      (await ask(node, 'GET', '/hc/?full=1')).json.detector.ok ? true : undefined,
    )
  }
}

/** Video of a camera whose agent came in by the proxy, at every node that serves. */
export async function videoPlays({ company, camera, cookie }: Busy): Promise<void> {
  const agent = await agentWithJanus(company.proxy, camera.auth_token)
  for (const node of company.webs()) {
    const page = await openPage(node, `/ws/janus/${camera.id}/`, cookie)
    await play(page)
    page.ws.close()
  }
  agent.close()
}

/** Whether pages of all of them say that they are watched. */
export const areWatched = ({ watched }: CompanyLoad): boolean =>
  watched.every(({ shown: pages }) => pages.at(-1)?.code === null)

const isNear = (went: Busy['went'], at: number, within: number) =>
  went.some((one) => one.at - within <= at && at <= one.at + within)

/** What was taken is there; each line that was torn was torn with a node, and is there again; what was not watched was so then. */
export async function expectCoverage({ company, load, went }: Busy): Promise<void> {
  const since = went[0]?.at ?? 0
  const rows = await picturesOf(company, load.watched, since)
  for (const { printer, posted, lines, shown: pages } of load.watched) {
    const taken = posted.filter(({ at, status }) => status === 200 && at >= since + TAKEN_MS)
    expect(taken.length).toBeGreaterThan(went.length)
    expect(rows.get(printer.id) ?? 0).toBeGreaterThanOrEqual(taken.length)
    const refused = posted.filter(({ status }) => status !== 200)
    expect(refused.filter(({ at }) => !isNear(went, at, RECONNECTED_MS))).toEqual([])
    for (const [at, line] of lines.entries()) {
      if (line.isOpen) continue
      expect(isNear(went, line.at, RECONNECTED_MS), 'a line that nobody has cut').toBe(true)
      const back = lines.slice(at).find(({ isOpen }) => isOpen)
      expect((back?.at ?? Infinity) - line.at).toBeLessThan(RECONNECTED_MS)
    }
    // Its page ends as it began: watched.
    await eventually(() => (pages.at(-1)?.code === null ? true : undefined))
    expect(pages.at(-1)?.agent).toBe('connected')
  }
  const gaps = await gapsOf(company, load.watched, since)
  expect(gaps.filter(({ since }) => !isNear(went, since.getTime(), 2 * RECONNECTED_MS))).toEqual([])
  console.log(`went: ${went.map(({ name }) => name).join(', ')}; not watched: ${JSON.stringify(gaps)}`)
}

/** What was acknowledged came once, what was refused never, and what nobody answered for at most once; nothing late. */
export function expectCommands({ load, went }: Busy): void {
  for (const { ordered, told } of load.commanded) {
    expect(ordered.filter(({ sent }) => sent === true).length).toBeGreaterThan(went.length)
    for (const [at, { cmd, from, sent }] of ordered.entries()) {
      const until = ordered[at + 1]?.from ?? Infinity
      const came = told.filter((one) => one.at >= from && one.at < until && one.cmd === cmd)
      const wanted = sent === null ? Math.min(1, came.length) : Number(sent)
      expect([cmd, at, sent, came.length]).toEqual([cmd, at, sent, wanted])
      for (const one of came) expect(one.at - from).toBeLessThan(LATE_MS)
    }
    expect(told.length).toBeLessThanOrEqual(ordered.filter(({ sent }) => sent !== false).length)
  }
}

/** Every file is there, byte for byte, by either node; names are as they were acknowledged. */
export async function expectRows({ company, load, cookie, went }: Busy): Promise<void> {
  const webs = company.webs()
  expect(load.uploads.length).toBeGreaterThan(went.length)
  for (const [at, { id, content }] of load.uploads.entries()) {
    const node = webs[at % webs.length] ?? company.proxy
    const { json } = await ask(node, 'GET', `/api/v1/g_code_files/${id}/`, { cookie })
    const file = await fetch(new URL(json.url, node.url), { headers: { cookie } })
    expect((await file.text()) === content, `upload ${at}`).toBe(true)
  }
  const listed: { id: number; name: string }[] = (
    await ask(company.proxy, 'GET', '/api/v1/printers/', { cookie })
  ).json
  for (const { id, tried, acknowledged } of load.names) {
    const number = Number(listed.find((one) => one.id === id)?.name.slice(1))
    expect(number).toBeGreaterThanOrEqual(acknowledged)
    expect(number).toBeLessThanOrEqual(tried)
  }
}

async function query<T extends object>(
  { databaseUrl }: Company,
  sql: string,
  values: unknown[],
): Promise<T[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return (await client.query<T>(sql, values)).rows
  } finally {
    await client.end()
  }
}

const idsOf = (all: readonly Loaded[]) => all.map(({ printer }) => printer.id)

/** Frames in the database since then, by printer. */
async function picturesOf(
  company: Company,
  all: readonly Loaded[],
  since: number,
): Promise<Map<number, number>> {
  const rows = await query<{ id: number; count: number }>(
    company,
    `select printer_id as id, count(*)::int as count from frames where printer_id = any($1) and created_at >= $2
     group by 1`,
    [idsOf(all), new Date(since)],
  )
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** When they were not watched after they had been, and why. */
async function gapsOf(company: Company, all: readonly Loaded[], after: number) {
  return await query<{ since: Date; until: Date | null; code: string }>(
    company,
    `select since, until, code from unwatched join prints on prints.id = print_id
     where printer_id = any($1) and since > $2 order by since`,
    [idsOf(all), new Date(after)],
  )
}
