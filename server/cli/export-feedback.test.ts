import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aPrinter, aUser, buildTestApp, type TestApp, type TestUser } from '../test/app.ts'
import { outcomeOf, startVigil, use } from './cli.fixture.ts'
import { asId } from '../test/ids.ts'

const SECRET = 'a5'.repeat(32)
const above = mkdtempSync(join(tmpdir(), 'vigil-cli-export-'))
let app: TestApp
let owner: TestUser
let printer: { id: number }

beforeAll(async () => {
  app = await buildTestApp({ env: { VIGIL_SECRET: SECRET } })
  owner = await aUser(app)
  printer = await aPrinter(app, owner, 'Voron of Ann')
})
afterAll(async () => {
  rmSync(above, { recursive: true, force: true })
  await app.close()
})

const vigil = (...args: string[]) =>
  outcomeOf(
    startVigil(args, {
      dataFolder: app.dataFolder,
      env: { DATABASE_URL: app.databaseUrl, VIGIL_SECRET: SECRET },
    }),
  )

/** A picture with what cameras write into one, stored. */
async function aPicture(path: string) {
  const bytes = await sharp({ create: { width: 64, height: 48, channels: 3, background: 'teal' } })
    .withExif({ IFD0: { Artist: 'Ann Example', Copyright: 'Ann Example' } })
    .jpeg()
    .toBuffer()
  const ref = { container: 'tsd-pics', path } as const
  await app.ctx.files.put(ref, bytes)
  return JSON.stringify(ref)
}

const START = Date.UTC(2026, 10, 1, 12)

/** A print with two answered pictures and one that is open, an answered first layer, and three frames. */
async function aPrint(values: object): Promise<number> {
  const { db } = app.ctx
  const print = {
    userId: owner.id,
    printerId: printer.id,
    filename: 'ann_house.gcode',
    startedAt: new Date(START),
  }
  const { id } = await db
    .insertInto('prints')
    .values(asId({ ...print, ...values }))
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const [at, answer] of ['LOOKS_BAD', 'UNDECIDED', null].entries())
    await db
      .insertInto('printShotFeedbacks')
      .values({
        printId: id,
        image: await aPicture(`ff_printshots/${owner.id}/${id}/${at}.jpg`),
        takenAt: new Date(START + (at + 1) * 120_000),
        score: 0.25,
        answer,
        answeredAt: answer && new Date(),
      })
      .execute()
  const { id: inspectionId } = await db
    .insertInto('firstLayerInspections')
    .values({ printId: id, judgedAt: new Date(), score: 52 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const image = {
    inspectionId,
    takenAt: new Date(START + 60_000),
    answer: 'gaps|other',
    answeredAt: new Date(),
  }
  const picture = await aPicture(`first_layer/${printer.id}/${inspectionId}/a.jpg`)
  await db
    .insertInto('firstLayerImages')
    .values({ ...image, hash: 'a', picture })
    .execute()
  for (const at of [0, 1, 2])
    await db
      .insertInto('frames')
      .values(
        asId({
          printId: id,
          printerId: printer.id,
          createdAt: new Date(START + at * 10_000),
          picture: await aPicture(`raw/${printer.id}/${id}/${at}.jpg`),
          numBytes: 1,
          width: 64,
          height: 48,
        }),
      )
      .execute()
  return id
}

test('what owners have answered and let be looked at becomes a data set that names nobody', async () => {
  const consent = { accessConsentedAt: new Date() }
  await aPrint({ ...consent, alertOverwrite: 'FAILED', alertedAt: new Date() })
  await aPrint({})
  await aPrint({ ...consent, deletedAt: new Date() })
  const plain = await aPrint(consent)
  await app.ctx.files.remove({ container: 'tsd-pics', path: `ff_printshots/${owner.id}/${plain}/0.jpg` })

  const folder = join(above, 'set')
  mkdirSync(folder)
  const said = await vigil('export-feedback', folder, '--json')
  expect(said).toMatchObject({ code: 0, err: '' })
  expect(JSON.parse(said.out)).toEqual({
    folder,
    prints: 2,
    examples: { shot: 3, first_layer: 2, frame: 3 },
    missing: 1,
  })
  expect(readdirSync(above), 'nothing is left beside it').toEqual(['set'])

  const text = readFileSync(join(folder, 'feedback.jsonl'), 'utf8')
  const examples = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<'image' | 'camera' | 'print', string>)
  const opaque = expect.stringMatching(/^[0-9a-f]{24}$/)
  const common = {
    print: opaque,
    camera: opaque,
    alerted: true,
    image: expect.stringMatching(/^[0-9a-f]{24}\.jpg$/),
  }
  const frame = { ...common, kind: 'frame', answer: 'FAILED', score: null }
  expect(examples.slice(0, 6)).toEqual([
    { ...common, kind: 'shot', t: 120, answer: 'LOOKS_BAD', score: 0.25 },
    { ...common, kind: 'shot', t: 240, answer: 'UNDECIDED', score: 0.25 },
    { ...common, kind: 'first_layer', t: 60, answer: ['gaps', 'other'], score: 52 },
    { ...frame, t: 0 },
    { ...frame, t: 10 },
    { ...frame, t: 20 },
  ])
  expect(new Set(examples.map(({ print }) => print)).size).toBe(2)
  expect(new Set(examples.map(({ camera }) => camera)).size).toBe(1)

  const manifest = readFileSync(join(folder, 'manifest.csv'), 'utf8').trim().split('\n')
  const [bad] = examples
  expect(manifest).toEqual([
    'file,label,split,source,licence,group,view,width,height,boxes,note',
    `${bad!.image},failure,train,vigil-feedback,consented,feedback/${bad!.camera}/${bad!.print},webcam,,,,`,
  ])

  const images = readdirSync(join(folder, 'images'))
  expect(images.toSorted()).toEqual(examples.map(({ image }) => image).toSorted())
  const everything = [
    text,
    ...manifest,
    ...images.map((name) => readFileSync(join(folder, 'images', name), 'latin1')),
  ]
  for (const words of everything) expect(words).not.toMatch(/Ann|ann_house|Voron|example\.org|Exif|2026/)
  const { format, width } = await sharp(join(folder, 'images', images[0]!)).metadata()
  expect({ format, width }).toEqual({ format: 'jpeg', width: 64 })

  // The same ids again: sets can be joined.
  await vigil('export-feedback', join(above, 'again'))
  expect(readFileSync(join(above, 'again', 'feedback.jsonl'), 'utf8')).toBe(text)
})

test('a folder that holds something is left alone; wrong use and help', async () => {
  const held = join(above, 'held')
  mkdirSync(held)
  writeFileSync(join(held, 'mine'), 'mine')
  expect(await use(['export-feedback', held])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/is not empty\. Nothing was written/),
  })
  expect(readdirSync(held)).toEqual(['mine'])
  expect((await use(['export-feedback'])).code).toBe(2)
  expect(await use(['export-feedback', '--help'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('./vigil export-feedback FOLDER'),
  })
  expect(existsSync(join(above, 'held.part'))).toBe(false)
})
