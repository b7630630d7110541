/** Pictures that can't be relied on, from the JPEG that an agent posts to what its owner reads; over a restart too. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { readConfig } from '../../../config.ts'
import { livePictures } from '../../../engines/inference/fixtures/live.fixture.ts'
import { decode, qualityOf } from '../../../engines/inference/decode.ts'
import { type Server, startServer } from '../../../main.ts'
import { aPrinter, aUser, blindDetector, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { cloneDatabase, type TestDatabase } from '../../../test/pg.ts'
import { connectAgent, eventually, type WireAgent } from '../../../test/wire/agent.ts'

/** Sees no failure, and judges the picture itself as the real one does. */
const detector = blindDetector({
  submit: async (_key, picture) => {
    const pixels = await decode(picture)
    const inspection = { ...(await blindDetector().detect(picture)), quality: qualityOf(picture, pixels) }
    return { kind: 'inspected', inspection }
  },
})

let database: TestDatabase
let dataFolder: string
let server: Server
let app: Pick<TestApp, 'ctx' | 'url' | 'wsUrl'>
let offset = 0
let owner: TestUser
let printer: Awaited<ReturnType<typeof aPrinter>>
let agent: WireAgent

/** What the camera shows while a print goes well. */
const live: Buffer[] = []
const BEFORE = 24
const AFTER = 6

/** A server on the same database and files as the one before it. */
async function start(): Promise<void> {
  const config = readConfig({
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    VIGIL_DATA: dataFolder,
    VIGIL_SECRET: randomBytes(32).toString('hex'),
  })
  const clock = { now: () => Date.now() + offset, monotonic: () => performance.now() + offset }
  server = await startServer({
    config,
    databaseUrl: database.url,
    signal: new AbortController().signal,
    detector,
    clock,
  })
  const { port } = await server.listen(0, '127.0.0.1')
  app = { ctx: server.ctx, url: `http://127.0.0.1:${port}`, wsUrl: `ws://127.0.0.1:${port}` }
}

async function restart(): Promise<void> {
  agent.ws.terminate()
  await server.close()
  await start()
  await startPrint()
}

beforeAll(async () => {
  database = await cloneDatabase()
  dataFolder = await mkdtemp(join(tmpdir(), 'vigil-blind-'))
  await start()
  owner = await aUser(app as TestApp)
  live.push(...(await livePictures(BEFORE + AFTER)))
})
afterAll(async () => {
  await server.close()
  await database.drop()
  await rm(dataFolder, { recursive: true, force: true })
})

let printTs = 1_700_000_000
beforeEach(async () => {
  printer = await aPrinter(app as TestApp, owner)
  printTs += 100
  await startPrint()
})

async function startPrint(): Promise<void> {
  agent = await connectAgent(app, printer.auth_token)
  report()
  await eventually(async () => ((await shown()).current_print ? true : undefined))
}

const report = () =>
  agent.send({
    current_print_ts: printTs,
    status: {
      _ts: app.ctx.clock.now() / 1000,
      state: { text: 'Printing', flags: { printing: true, paused: false } },
      job: { file: { name: 'vase.gcode' } },
      progress: { completion: 20, printTime: 600 },
    },
  })

const shown = async () =>
  (await call(app, 'GET', `/api/v1/printers/${printer.id}/`, { token: owner.token })).json as Printer

/** Ten seconds and a picture, for each; returns what the records of the decisions say of them. */
async function show(pictures: readonly Buffer[]): Promise<(string | null)[]> {
  const before = (await decisions()).length
  for (const [i, picture] of pictures.entries()) {
    await post(picture)
    await eventually(async () => ((await decisions()).length > before + i ? true : undefined))
  }
  return (await decisions()).slice(before).map(({ blind }) => blind)
}

async function post(picture: Buffer): Promise<void> {
  offset += 10_000
  report()
  const form = new FormData()
  form.set('is_primary_camera', 'True')
  form.set('pic', new Blob([Uint8Array.from(picture)]), 'pic')
  const headers = { authorization: `Token ${printer.auth_token}` }
  expect((await fetch(`${app.url}/api/v1/octo/pic/`, { method: 'POST', headers, body: form })).status).toBe(
    200,
  )
}

const decisions = () =>
  app.ctx.db
    .selectFrom('decisions')
    .select('blind')
    .where('printerId', '=', printer.id)
    .orderBy('id')
    .execute()
/** Waits until the owner reads this; null when the printer is watched. */
const isTold = (code: string | null) =>
  eventually(async () => ((await shown()).watch.code === code ? true : undefined))

const knocked = () =>
  Promise.all(
    live
      .slice(BEFORE)
      .map((bytes) =>
        sharp(bytes)
          .extract({ left: 90, top: 50, width: 540, height: 405 })
          .resize(640, 480)
          .jpeg()
          .toBuffer(),
      ),
  )
const storedViews = () =>
  app.ctx.db.selectFrom('cameraViews').selectAll().where('printerId', '=', printer.id).execute()

test('a camera that stays is watched on after a restart; one that was moved meanwhile is told with the sixth picture', async () => {
  expect(new Set(await show(live.slice(0, BEFORE)))).toEqual(new Set([null]))
  await restart()
  expect(await show(live.slice(BEFORE, BEFORE + 2))).toEqual([null, null])
  await isTold(null)
  await restart()
  expect(await show(await knocked())).toEqual([null, null, null, null, null, 'moved'])
  await isTold('camera_moved')
})

test('what is kept and makes no sense is as if there were nothing', async () => {
  await app.ctx.db
    .insertInto('cameraViews')
    .values({ printerId: printer.id, view: Buffer.from('?') })
    .execute()
  expect(await show(live.slice(0, 2))).toEqual([null, null])
})

test('what is kept of a camera goes with its printer', async () => {
  await show(live.slice(0, 3))
  await restart()
  expect(await storedViews()).toMatchObject([{ view: expect.any(Buffer) }])
  const path = `/api/v1/printers/${printer.id}/`
  expect((await call(app as TestApp, 'DELETE', path, { token: owner.token })).status).toBe(204)
  await eventually(async () => ((await storedViews()).length === 0 ? true : undefined))
})

test('a picture of which the lower half is missing is damaged, though it has its end', async () => {
  const whole = live[0]!
  const cut = Buffer.concat([whole.subarray(0, whole.length / 2), Buffer.from([0xff, 0xd9])])
  expect(await show([whole])).toEqual([null])
  await isTold(null)
  await post(cut)
  await isTold('picture_damaged')
  expect((await shown()).watch).toMatchObject({ state: 'blind', reason: 'The webcam picture is damaged' })
  expect(await show([live[1]!])).toEqual([null])
  await isTold(null)
})
