import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inSuite } from '../../../scripts/suites.ts'
import { makeTimelapse } from '../../modules/prints/timelapse/make.service.ts'
import { aFilmedPrint } from '../../modules/prints/timelapse/timelapse.fixture.ts'
import { aUser, buildTestApp, call, type TestApp, type TestUser } from '../app.ts'
import { plainEnvironment } from '../spawned.ts'
import { eventually } from '../wire/agent.ts'
import { aFolder, missing, removeFolder } from './support.ts'
import { asId } from '../ids.ts'

const mount = aFolder()
const canMount = tryMount()
const { TMPDIR } = process.env
let app: TestApp
let owner: TestUser

function tryMount(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=200m', 'vigil-hurt', mount], { stdio: 'ignore' })
    return true
  } catch {
    return !missing('a full disk: mounting a tmpfs needs root and CAP_SYS_ADMIN', true)
  }
}

beforeAll(async () => {
  // The data folder lies on a disk of its own.
  process.env['TMPDIR'] = mount
  app = await buildTestApp()
  owner = await aUser(app)
})
afterAll(async () => {
  await app.close()
  if (TMPDIR === undefined) delete process.env['TMPDIR']
  else process.env['TMPDIR'] = TMPDIR
  if (canMount) execFileSync('umount', ['-l', mount])
  removeFolder(mount)
})

/** Pictures of a print whose films take their seconds. */
const LONG = inSuite(312, 612)
const LONGER = inSuite(612, 1_512)

/** A print whose two films take some seconds: a few pictures, shown again and again. */
async function aLongPrint(frameCount: number) {
  const { printId, printer } = await aFilmedPrint(app, owner, {
    frames: 12,
    everyMs: 60_000,
    size: { width: 640, height: 480 },
    look: (place) => ({ p: place / 12, boxes: [{ x: 9, y: 9, w: 90, h: 90, score: 0.9 }] }),
    tagged: () => true,
  })
  const { db } = app.ctx
  const frames = await db.selectFrom('frames').selectAll().where('printId', '=', printId).execute()
  const more = Array.from({ length: frameCount - 12 }, (_, n) => {
    const { id: _id, picture, tagged, createdAt, ...frame } = frames[n % frames.length]!
    const at = new Date(createdAt.getTime() + 1_000 + n)
    return { ...frame, picture: JSON.stringify(picture), tagged: JSON.stringify(tagged), createdAt: at }
  })
  for (let n = 0; n < more.length; n += 500)
    await db
      .insertInto('frames')
      .values(more.slice(n, n + 500))
      .execute()
  return { printId, printer }
}
const rowOf = (printId: number) =>
  app.ctx.db.selectFrom('timelapses').selectAll().where('printId', '=', asId(printId)).executeTakeFirst()
const printOf = (printId: number) =>
  call(app, 'GET', `/api/v1/prints/${printId}/`, { token: owner.token }).then(({ json }) => json)
const unfinished = () => {
  const folder = join(app.dataFolder, 'tmp')
  return existsSync(folder) ? readdirSync(folder) : []
}

function aWorker(printId: number): ChildProcess {
  return spawn(process.execPath, [join(import.meta.dirname, 'timelapse.child.ts')], {
    env: plainEnvironment(app.dataFolder, {
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      VIGIL_SECRET: 'x'.repeat(32),
      TEST_DATABASE: app.databaseUrl,
      TEST_PRINT: String(printId),
    }),
    stdio: 'ignore',
  })
}

/** The process that makes the film on which is drawn what was found: both are made side by side. */
const drawing = (printId: number) =>
  eventually(() => {
    const film = join(app.dataFolder, 'tmp', `timelapse-${printId}`, 'tagged.mp4')
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    return pids.map(Number).find((pid) => commandOf(pid).includes(film))
  })

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

it('kill -9 in the middle of a compile: nobody is shown half a film, and the next one goes on where it was', async () => {
  const { printId } = await aLongPrint(LONG)
  const worker = aWorker(printId)
  // The first film is made, the second is on its way.
  const second = await drawing(printId)
  process.kill(second, 'SIGSTOP')
  await eventually(async () => ((await printOf(printId)).video_url === null ? undefined : true))
  worker.kill('SIGKILL')
  await once(worker, 'exit')
  process.kill(second, 'SIGKILL')
  const halfway = await printOf(printId)
  expect(halfway).toMatchObject({ video_url: expect.any(String), tagged_video_url: null })
  const whole = await app.ctx.files.stat({ container: 'tsd-timelapses', path: `private/${printId}.mp4` })
  expect(await rowOf(printId)).toMatchObject({ state: 'working', attempts: 1 })
  // It may still be alive, for all that is known.
  await makeTimelapse(app.ctx, printId, app.ctx.stopping)
  expect(await rowOf(printId)).toMatchObject({ state: 'working', attempts: 1 })

  app.advance(60_000)
  await makeTimelapse(app.ctx, printId, app.ctx.stopping)
  expect(await rowOf(printId)).toMatchObject({ state: 'ready', attempts: 2, frames: LONG })
  expect((await printOf(printId)).tagged_video_url).toEqual(expect.any(String))
  // The first film was not made again.
  expect(await app.ctx.files.stat({ container: 'tsd-timelapses', path: `private/${printId}.mp4` })).toEqual(
    whole,
  )
  expect(unfinished()).toEqual([])
})

it.runIf(canMount)(
  'a full disk in the middle of a compile: nothing half is stored, no try is lost, and it is made when there is room',
  async () => {
    const { printId } = await aLongPrint(LONGER)
    const ballast = join(mount, 'ballast')
    const making = makeTimelapse(app.ctx, printId, app.ctx.stopping)
    await eventually(async () => ((await rowOf(printId))?.state === 'working' ? true : undefined))
    try {
      writeFileSync(ballast, Buffer.alloc(300 * 1_048_576))
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC')
    }
    await making
    expect(await rowOf(printId)).toMatchObject({ state: 'waiting', attempts: 0 })
    expect(await printOf(printId)).toMatchObject({ video_url: null, tagged_video_url: null })
    expect(unfinished()).toEqual([])
    rmSync(ballast)
    app.advance(61_000)
    await makeTimelapse(app.ctx, printId, app.ctx.stopping)
    expect(await rowOf(printId)).toMatchObject({ state: 'ready' })
    expect((await printOf(printId)).tagged_video_url).toEqual(expect.any(String))
  },
  600_000,
)
