import sharp from 'sharp'
import type { LayerSight } from '../engines/inference/port.ts'
import { aPrinter, call, type TestApp, type TestUser } from './app.ts'

/** A nozzle picture for {@link seesGreen}: `green` (0..255) is its score, red says that it is of no nozzle camera. */
export function nozzlePicture(green: number, { strange = false, mark = 0 } = {}): Promise<Buffer> {
  const background = { r: strange ? 250 : 20, g: Math.round(green), b: mark }
  return sharp({ create: { width: 64, height: 48, channels: 3, background } })
    .jpeg({ quality: 100 })
    .toBuffer()
}

/** A judge that tells pictures by their colour. */
export async function seesGreen(picture: Uint8Array): Promise<LayerSight> {
  const { channels } = await sharp(picture).stats()
  const isStrange = channels[0]!.mean > 128
  const score = isStrange ? null : (channels[1]!.mean / 255) * 100
  return {
    model: 'green 1',
    score,
    labels: score === null ? ['notANozzleCam'] : score < 50 ? ['gaps'] : ['noIssues'],
    shares: { gaps: 0.5, raisedRipples: 0, bumpsAndRoughSurface: 0, bubbling: 0, detached: 0 },
    notANozzleCam: isStrange ? 1 : 0,
    lines: 0.5,
  }
}

/** A printer that prints. */
export async function aPrintingPrinter(app: TestApp, owner: TestUser) {
  const printer = await aPrinter(app, owner)
  const { id: printId } = await app.ctx.db
    .insertInto('prints')
    .values({ userId: owner.id, printerId: printer.id, filename: 'cube.gcode', startedAt: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow()
  await app.ctx.db
    .updateTable('printers')
    .set({ currentPrintId: printId })
    .where('id', '=', printer.id)
    .execute()
  return { id: printer.id, token: printer.auth_token, printId }
}

/**
 * What Python's `requests` sends for `files={'pic': ('pic', bytes)}`, `data={'first_layer_scanning': 'True'}`: the
 * fields first, and a file part without a content type (the shape of the recorded posts to `octo/pic/`).
 */
export function postedBy(token: string, picture: Buffer, fields: Record<string, string> = {}) {
  const boundary = '58d3b2c8dc0c4f4e9b2ad3c7d1a0c5f6'
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const head = `${parts.join('')}--${boundary}\r\nContent-Disposition: form-data; name="pic"; filename="pic"\r\n\r\n`
  return {
    method: 'POST',
    headers: {
      authorization: `Token ${token}`,
      'user-agent': 'python-requests/2.31.0',
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
    body: Buffer.concat([Buffer.from(head), picture, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  }
}

export const postPic = (app: TestApp, token: string, picture: Buffer, fields?: Record<string, string>) =>
  fetch(`${app.url}/ent/api/nozzle_cam/pic/`, postedBy(token, picture, fields))

/** `requests.post(url, data={'nozzlecam_status': 'complete'})`. */
export const postDone = (app: TestApp, token: string, status = 'complete') =>
  fetch(`${app.url}/ent/api/nozzle_cam/first_layer_done/`, {
    method: 'POST',
    headers: { authorization: `Token ${token}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: `nozzlecam_status=${status}`,
  })

/** Sends pictures a second apart; all are taken. */
export async function sendAll(app: TestApp, token: string, pictures: readonly Buffer[]): Promise<void> {
  for (const picture of pictures) {
    app.advance(1000)
    const answer = await postPic(app, token, picture)
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  }
}

export const layersOf = async (app: TestApp, who: TestUser, query = '') =>
  (await call(app, 'GET', `/ent/api/first_layer_inspection/${query}`, { token: who.token })).json
