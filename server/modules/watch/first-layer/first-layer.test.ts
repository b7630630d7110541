import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DetectorUnavailable } from '../../../engines/inference/port.ts'
import { keys } from '../../core/presence/names.ts'
import { aUser, blindDetector, buildTestApp, type TestApp, type TestUser } from '../../../test/app.ts'
import { eventually } from '../../../test/wire/agent.ts'
import {
  aPrintingPrinter,
  layersOf,
  nozzlePicture,
  postDone,
  postedBy,
  postPic,
  seesGreen,
  sendAll,
} from '../../../test/first-layer.ts'
import { gapAfter } from '../nozzle-camera/layers.rules.ts'
import { judge } from '../nozzle-camera/judge.service.ts'

let app: TestApp
let owner: TestUser
let stranger: TestUser
let printer: Awaited<ReturnType<typeof aPrintingPrinter>>
let looks = 0
let isDown = false

beforeAll(async () => {
  const detectLayer = async (picture: Uint8Array) => {
    if (isDown) throw new DetectorUnavailable('gone')
    looks++
    return await seesGreen(picture)
  }
  app = await buildTestApp({ detector: blindDetector({ detectLayer }) })
  owner = await aUser(app)
  stranger = await aUser(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  printer = await aPrintingPrinter(app, owner)
})

const imageRows = () =>
  app.ctx.db
    .selectFrom('firstLayerImages as image')
    .innerJoin('firstLayerInspections as layer', 'layer.id', 'image.inspectionId')
    .selectAll('image')
    .where('layer.printId', '=', printer.printId)
    .execute()
const files = async () => {
  const found: string[] = []
  for await (const path of app.ctx.files.list('tsd-pics', `first_layer/${printer.id}`)) found.push(path)
  return found
}
const judged = () => eventually(async () => (await layersOf(app, owner, `?print_id=${printer.printId}`))[0])
const several = (greens: readonly number[]) =>
  Promise.all(greens.map((green, i) => nozzlePicture(green, { mark: i * 3 })))

describe('a first layer', () => {
  test('is kept picture by picture and judged when the agent says that it is done', async () => {
    await sendAll(app, printer.token, await several([240, 240, 230, 90]))
    expect(await imageRows()).toHaveLength(4)
    expect(await layersOf(app, owner, `?print_id=${printer.printId}`)).toEqual([])
    const done = await postDone(app, printer.token)
    expect(await done.json()).toEqual({ result: 'ok' })
    const layer = await judged()
    // Mean 78.4, worst fifth (one of four) 35.3.
    expect(layer).toMatchObject({
      print: printer.printId,
      grade: 'B',
      beta: true,
    })
    expect(layer.score).toBeCloseTo(0.6 * 78.4 + 0.4 * 35.3, 0)
    expect(layer.images.map(({ labels }: { labels: string }) => labels)).toEqual([
      'noIssues',
      'noIssues',
      'noIssues',
      'gaps',
    ])
    expect(layer.images[3]).toMatchObject({
      first_layer_inspection: layer.id,
      answer: null,
      answered_at: null,
      credited_dhs: 0,
    })
    const image = await fetch(layer.images[0].image_url)
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    expect((await fetch(layer.images[0].image_url.replace(/digest=./, 'digest='))).status).toBe(403)
    const poster = await fetch(layer.poster_url)
    expect(Buffer.from(await poster.arrayBuffer())).toEqual(
      Buffer.from(await (await fetch(layer.images[3].image_url)).arrayBuffer()),
    )
    const figures = (await (await fetch(layer.data_json_url)).json()) as { pictures: { score: number }[] }
    expect(figures.pictures.map(({ score }) => Math.round(score))).toEqual([94, 94, 91, 35])
  })

  test('keeps the 24 pictures that tell most, and the figures of all', async () => {
    await sendAll(
      app,
      printer.token,
      await several(Array.from({ length: 30 }, (_, i) => (i === 7 ? 30 : 220))),
    )
    await postDone(app, printer.token)
    const layer = await judged()
    expect(layer.images).toHaveLength(24)
    expect(layer.images.some(({ labels }: { labels: string }) => labels === 'gaps')).toBe(true)
    const figures = (await (await fetch(layer.data_json_url)).json()) as { pictures: unknown[] }
    expect(figures.pictures).toHaveLength(30)
    await eventually(async () => ((await files()).length === 25 ? true : undefined))
    expect(await imageRows()).toHaveLength(24)
  })

  test('makes no second row of a picture or an end that is sent twice', async () => {
    const [one, two] = await several([200, 210])
    await sendAll(app, printer.token, [one!, one!, two!, one!])
    expect(await imageRows()).toHaveLength(2)
    await postDone(app, printer.token)
    await postDone(app, printer.token)
    await eventually(async () => (await judged()).video_url ?? undefined)
    const layer = await judged()
    expect((await postDone(app, printer.token)).status).toBe(200)
    await sendAll(app, printer.token, await several([1]))
    expect(await layersOf(app, owner, `?print_id=${printer.printId}`)).toEqual([layer])
    expect(await imageRows()).toHaveLength(2)
    // Even a job that runs again finds nothing to do.
    const before = looks
    await judge(app.ctx, layer.id, new AbortController().signal)
    expect(looks).toBe(before)
    expect(await layersOf(app, owner, `?print_id=${printer.printId}`)).toEqual([layer])
  })

  test('goes on where a restart or a broken detector left it', async () => {
    await sendAll(app, printer.token, await several([200, 100, 50]))
    const [first] = await imageRows()
    const inspectionId = first!.inspectionId
    const kept = await seesGreen(await nozzlePicture(255))
    await app.ctx.db
      .updateTable('firstLayerImages')
      .set({ sight: JSON.stringify(kept) })
      .where('id', '=', first!.id)
      .execute()
    isDown = true
    await expect(judge(app.ctx, inspectionId, new AbortController().signal)).rejects.toThrow('gone')
    isDown = false
    expect(await layersOf(app, owner, `?print_id=${printer.printId}`)).toEqual([])
    const before = looks
    await judge(app.ctx, inspectionId, new AbortController().signal)
    expect(looks).toBe(before + 2)
    expect((await layersOf(app, owner, `?print_id=${printer.printId}`))[0].images).toHaveLength(3)
  })

  test('of which no picture is from a nozzle camera has no score', async () => {
    const pictures = [1, 2, 3].map((mark) => nozzlePicture(200, { strange: true, mark: mark * 9 }))
    await sendAll(app, printer.token, await Promise.all(pictures))
    await postDone(app, printer.token)
    expect(await judged()).toMatchObject({
      score: null,
      grade: null,
      poster_url: null,
      images: [{ labels: 'notANozzleCam' }, {}, {}],
    })
  })
})

describe('an agent', () => {
  test('sends pictures as Moonraker-Obico does while it scans', async () => {
    const answer = await postPic(app, printer.token, await nozzlePicture(99), {
      first_layer_scanning: 'True',
    })
    expect([answer.status, await answer.json()]).toEqual([200, { result: 'ok' }])
    expect(await imageRows()).toHaveLength(1)
  })

  test('may send faster than is kept, the more so the longer the layer takes', async () => {
    const [one, two, three] = await several([100, 110, 120])
    await sendAll(app, printer.token, [one!])
    await app.ctx.db
      .updateTable('firstLayerInspections')
      .set({ pictures: 3000 })
      .where('printId', '=', printer.printId)
      .execute()
    await sendAll(app, printer.token, [two!])
    expect(await imageRows()).toHaveLength(1)
    app.advance(gapAfter(3000))
    await sendAll(app, printer.token, [three!])
    expect(await imageRows()).toHaveLength(2)
  })

  test('is told what is wrong with a post', async () => {
    const text = await fetch(`${app.url}/ent/api/nozzle_cam/pic/`, {
      method: 'POST',
      headers: {
        authorization: `Token ${printer.token}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'pic=x',
    })
    expect([text.status, await text.json()]).toEqual([400, { pic: ['The submitted data was not a file.'] }])
    const junk = await postPic(app, printer.token, Buffer.from('not a picture'))
    expect([junk.status, await junk.json()]).toEqual([400, [expect.stringContaining('valid image')]])
    const status = await postDone(app, printer.token, 'paused')
    expect([status.status, await status.json()]).toEqual([
      400,
      { nozzlecam_status: ['Only "complete" ends a first layer.'] },
    ])
    expect(await imageRows()).toEqual([])
  })

  test('that prints nothing is thanked, and nothing is kept', async () => {
    await app.ctx.db
      .updateTable('printers')
      .set({ currentPrintId: null })
      .where('id', '=', printer.id)
      .execute()
    expect((await postPic(app, printer.token, await nozzlePicture(200))).status).toBe(200)
    expect((await postDone(app, printer.token)).status).toBe(200)
    expect([await imageRows(), await files()]).toEqual([[], []])
  })

  test('touches its own printer alone', async () => {
    const other = await aPrintingPrinter(app, stranger)
    await sendAll(app, printer.token, await several([200]))
    expect((await postDone(app, other.token)).status).toBe(200)
    await sendAll(app, printer.token, await several([10, 20, 30]))
    expect(await imageRows()).toHaveLength(4)
    expect((await postPic(app, 'nobody', await nozzlePicture(1))).status).toBe(401)
  })

  test('that sends its nozzle camera beside the webcam is heard during the first layer only', async () => {
    const send = async (mark: number) => {
      app.advance(10_000)
      const fields = { is_primary_camera: 'False', is_nozzle_camera: 'True', camera_name: 'nozzle' }
      const picture = await nozzlePicture(150, { mark })
      return fetch(`${app.url}/api/v1/octo/pic/`, postedBy(printer.token, picture, fields))
    }
    const layer = (number: number | null) =>
      app.ctx.live.put(keys.status(printer.id), JSON.stringify({ currentLayerHeight: number }), 60_000)
    await layer(1)
    expect((await send(10)).status).toBe(200)
    await eventually(async () => ((await imageRows()).length === 1 ? true : undefined))
    for (const number of [2, null]) {
      await layer(number)
      expect((await send(20)).status).toBe(200)
    }
    await layer(1)
    await send(200)
    await eventually(async () => ((await imageRows()).length === 2 ? true : undefined))
    const frames = await app.ctx.db
      .selectFrom('frames')
      .select('id')
      .where('printerId', '=', printer.id)
      .execute()
    expect(frames).toEqual([])
  })
})
