import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aUser, blindDetector, buildTestApp, type TestApp, type TestUser } from '../../../test/app.ts'
import {
  aPrintingPrinter,
  layersOf,
  nozzlePicture,
  postDone,
  seesGreen,
  sendAll,
} from '../../../test/first-layer.ts'
import { aChannel, owedTo } from '../../../test/notified.ts'
import { eventually } from '../../../test/wire/agent.ts'
import { expireLayers } from '../first-layer/expire.service.ts'
import { filmFirstLayer } from './film.service.ts'
import { asId } from '../../../test/ids.ts'

let app: TestApp
let owner: TestUser
const folder = mkdtempSync(join(tmpdir(), 'vigil-layer-film-'))

beforeAll(async () => {
  app = await buildTestApp({ detector: blindDetector({ detectLayer: seesGreen }) })
  owner = await aUser(app)
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

async function aLayer(count: number) {
  const printer = await aPrintingPrinter(app, owner)
  const pictures = Array.from({ length: count }, (_, i) => nozzlePicture(220, { mark: i * 5 }))
  await sendAll(app, printer.token, await Promise.all(pictures))
  await postDone(app, printer.token)
  const shown = async () => (await layersOf(app, owner, `?print_id=${printer.printId}`))[0]
  const files = async (container: 'tsd-pics' | 'tsd-timelapses') => {
    const found: string[] = []
    for await (const path of app.ctx.files.list(container, `first_layer/${printer.id}`)) found.push(path)
    return found
  }
  return { printer, shown, files }
}
const again = (id: number) => filmFirstLayer(app.ctx, asId(id), new AbortController().signal)

test('all pictures of a first layer become a film that plays everywhere, once; it goes with its print', async () => {
  await aChannel(app, owner)
  const { printer, shown, files } = await aLayer(30)
  const layer = await eventually(async () => {
    const found = await shown()
    return found?.video_url ? found : undefined
  })
  expect(layer.tagged_video_url).toBe(layer.video_url)
  expect(layer.images).toHaveLength(24)
  // On a busy machine the printer may have been away for a while.
  const reports = (await owedTo(app, owner)).filter(({ kind }) => kind !== 'NotWatching')
  expect(reports).toMatchObject([
    {
      kind: 'FirstLayerReport',
      notice: {
        print: { id: printer.printId },
        firstLayer: { grade: layer.grade, score: Math.round(layer.score ?? 0) },
        picture: { container: 'tsd-pics' },
      },
    },
  ])
  const answer = await fetch(layer.video_url)
  expect(answer.headers.get('content-type')).toBe('video/mp4')
  const path = join(folder, 'film.mp4')
  writeFileSync(path, Buffer.from(await answer.arrayBuffer()))
  const asked = 'stream=codec_name,width,height,pix_fmt,r_frame_rate,nb_read_frames'
  const args = ['-v', 'error', '-count_frames', '-of', 'json', '-show_entries', asked, path]
  expect(JSON.parse(execFileSync('ffprobe', args).toString()).streams).toEqual([
    {
      codec_name: 'h264',
      width: 64,
      height: 48,
      pix_fmt: 'yuv420p',
      r_frame_rate: '8/1',
      nb_read_frames: '30',
    },
  ])
  const [film, ...others] = await files('tsd-timelapses')
  expect(others).toEqual([])
  const made = await app.ctx.files.stat({ container: 'tsd-timelapses', path: film! })
  await again(layer.id)
  expect(await shown()).toEqual(layer)
  expect(await app.ctx.files.stat({ container: 'tsd-timelapses', path: film! })).toEqual(made)

  await app.ctx.db
    .updateTable('prints')
    .set({ deletedAt: new Date() })
    .where('id', '=', printer.printId)
    .execute()
  await expireLayers(app.ctx, new AbortController().signal)
  expect([await files('tsd-timelapses'), await files('tsd-pics')]).toEqual([[], []])
})

test('of one picture there is no film, and without ffmpeg the pictures alone are there', async () => {
  const { shown } = await aLayer(1)
  const { id } = await eventually(shown)
  await again(id)
  expect(await shown()).toMatchObject({ video_url: null, images: [{}] })

  const path = process.env['PATH']
  const bare = mkdtempSync(join(folder, 'bin-'))
  symlinkSync('/usr/bin/nice', join(bare, 'nice'))
  process.env['PATH'] = bare
  try {
    const { shown: bareShown, files } = await aLayer(26)
    // Those that are not shown go when the film has been thought of: 24 pictures and the figures stay.
    await eventually(async () => ((await files('tsd-pics')).length === 25 ? true : undefined))
    expect(await bareShown()).toMatchObject({ grade: 'A', video_url: null, tagged_video_url: null })
    expect((await bareShown()).images).toHaveLength(24)
    expect(await files('tsd-timelapses')).toEqual([])
  } finally {
    process.env['PATH'] = path
  }
})
