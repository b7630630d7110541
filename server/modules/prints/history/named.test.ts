import { print as printSchema, type Print } from '@vigil/contract/prints/prints.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aPrinter, aUser, buildTestApp, call, type TestApp, type TestUser } from '../../../test/app.ts'
import { countQueries } from '../../../test/queries.ts'
import { asId } from '../../../test/ids.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

describe('what a print names', () => {
  let keeper: TestUser
  let kept: { id: number; auth_token: string }
  let fileId: number
  const get = async (path: string, who = keeper) =>
    (await call(app, 'GET', `/api/v1/prints/${path}`, { cookie: who.cookie })).json
  const add = async (values: object) => {
    const { db } = app.ctx
    const print = { userId: keeper.id, printerId: kept.id, filename: 'x', ...values }
    return (await db.insertInto('prints').values(asId(print)).returning('id').executeTakeFirstOrThrow()).id
  }
  const addLayer = async (printId: number, judgedAt: Date | null) => {
    const { db } = app.ctx
    const { id } = await db
      .insertInto('firstLayerInspections')
      .values(asId({ printId, judgedAt, score: 81 }))
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('firstLayerImages')
      .values({
        inspectionId: id,
        hash: 'h',
        picture: JSON.stringify({ bucket: 'tsd-pics', path: `first_layer/${kept.id}/${id}.jpg` }),
        takenAt: new Date(),
      })
      .execute()
    return id
  }

  beforeAll(async () => {
    keeper = await aUser(app)
    kept = await aPrinter(app, keeper, 'Kept')
    const file = { userId: keeper.id, filename: 'A.gcode', safeFilename: 'a.gcode', numBytes: 12 }
    const { id } = await app.ctx.db
      .insertInto('gCodeFiles')
      .values(file)
      .returning('id')
      .executeTakeFirstOrThrow()
    fileId = id
  })

  it('is found by a part of its file’s name, in any case', async () => {
    const finder = await aUser(app)
    const { db } = app.ctx
    for (const filename of ['Vase_Spiral.gcode', 'lid 100%.gcode'])
      await db
        .insertInto('prints')
        .values(asId({ userId: finder.id, printerId: kept.id, filename, uploadedAt: new Date() }))
        .execute()
    const names = async (q: string) =>
      ((await get(`?q=${encodeURIComponent(q)}`, finder)) as Print[]).map(({ filename }) => filename)
    expect(await names('vase_')).toEqual([])
    await db.updateTable('prints').set({ printerId: null }).where('userId', '=', finder.id).execute()
    expect(await names('vase_')).toEqual(['Vase_Spiral.gcode'])
    expect(await names('100%')).toEqual(['lid 100%.gcode'])
    expect(await names('%')).toEqual(['lid 100%.gcode'])
    expect(await names('nothing')).toEqual([])
  })

  it('is whole, alike in the list, on its own and as the current print of its printer', async () => {
    const printId = await add({ gCodeFileId: fileId, startedAt: new Date() })
    await app.ctx.db
      .updateTable('printers')
      .set({ currentPrintId: printId })
      .where('id', '=', asId(kept.id))
      .execute()
    const print: Print = await get(`${printId}/`)
    expect(printSchema.strict().parse(print)).toEqual(print)
    expect(await get('?limit=1')).toEqual([print])
    const { json: printer } = await call(app, 'GET', `/api/v1/printers/${kept.id}/`, {
      cookie: keeper.cookie,
    })
    expect(print.printer).toEqual(
      Object.fromEntries(Object.keys(print.printer!).map((key) => [key, printer[key]])),
    )
    expect(print).toMatchObject({
      printer: { name: 'Kept', auth_token: kept.auth_token, not_watching_reason: expect.any(String) },
      g_code_file: { id: fileId, user: keeper.id, filename: 'A.gcode', num_bytes: 12 },
      prediction_json_url: `/api/v1/prints/${printId}/prediction_json/`,
      printshotfeedback_set: [],
      firstlayerinspection_set: [],
    })
    expect(Object.keys(printer.current_print)).toEqual(
      Object.keys(print).filter((key) => !/_set$|^prediction|^watched$|^score_curve$/.test(key)),
    )
    expect(printer.current_print).toMatchObject({ printer: print.printer, g_code_file: print.g_code_file })
  })

  it('its judged first layer, with signed addresses', async () => {
    const [judged, unjudged] = [await add({}), await add({})]
    const id = await addLayer(judged, new Date())
    await addLayer(unjudged, null)
    const [set] = (await get(`${judged}/`)).firstlayerinspection_set
    expect(set).toMatchObject({ id, print: judged, grade: 'A', images: [{ first_layer_inspection: id }] })
    expect(set.images[0].image_url).toMatch(/^http.*[?&]digest=/)
    const { json: layers } = await call(app, 'GET', `/ent/api/first_layer_inspection/?print_id=${judged}`, {
      cookie: keeper.cookie,
    })
    expect(Object.keys(layers[0])).toEqual(Object.keys(set))
    expect((await get(`${unjudged}/`)).firstlayerinspection_set).toEqual([])
  })

  it('a printer that is archived or deleted is still named; an uploaded time-lapse has none', async () => {
    const gone = await aPrinter(app, keeper, 'Gone')
    const old = await aPrinter(app, keeper, 'Old')
    const [a, b] = [await add({ printerId: gone.id }), await add({ printerId: old.id })]
    const uploaded = await add({ printerId: null, uploadedAt: new Date() })
    await call(app, 'DELETE', `/api/v1/printers/${gone.id}/`, { cookie: keeper.cookie })
    await call(app, 'POST', `/api/v1/printers/${old.id}/archive/`, { cookie: keeper.cookie })
    expect((await get(`${a}/`)).printer).toMatchObject({ id: gone.id, name: 'Gone' })
    expect((await get(`${b}/`)).printer).toMatchObject({ name: 'Old', archived_at: expect.any(String) })
    expect((await get(`${uploaded}/`)).printer).toBeNull()
  })

  it('costs the same statements for 24 prints on 4 printers as for one', async () => {
    const statements = (query: string) => countQueries(app, async () => void (await get(query)))
    for (let i = 0; i < 24; i++) {
      const { id } = i % 6 === 0 ? await aPrinter(app, keeper, `P${i}`) : kept
      await addLayer(await add({ printerId: id, gCodeFileId: fileId }), new Date())
    }
    const one = await statements('?limit=1')
    const many = await statements('?limit=24')
    expect(await get('?limit=24')).toHaveLength(24)
    expect(many).toHaveLength(one.length)
    expect(many.filter((sql) => /prints|printers|g_code_files|first_layer/.test(sql))).toHaveLength(5)
  })

  it('is told to nobody else', async () => {
    const stranger = await aUser(app)
    const theirs = await aPrinter(app, stranger, 'Theirs')
    // A print of mine that stands on somebody else's printer is not mine to see.
    const foreign = await add({ printerId: theirs.id })
    expect(await get(`${foreign}/`)).toEqual({ detail: 'Not found.' })
    expect(JSON.stringify(await get('?limit=200&with_deleted'))).not.toContain(theirs.auth_token)
    expect(JSON.stringify(await get('?limit=200', stranger))).not.toContain(kept.auth_token)
  })
})
