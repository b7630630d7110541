import sharp from 'sharp'
import { aPrinter, type TestApp, type TestUser } from '../../../test/app.ts'

interface Filmed {
  readonly frames: number
  readonly everyMs?: number
  /** What the detector said of a frame; null where it did not look. */
  readonly look?: (
    place: number,
  ) => { p: number; blind?: string; decision?: 'none' | 'warn' | 'pause'; boxes?: object[] } | null
  /** Whether what was found was drawn. */
  readonly tagged?: (place: number) => boolean
  /** Of a frame's file: nothing, or not the whole of it. */
  readonly harm?: (place: number) => 'gone' | 'torn' | 'cut' | null
  readonly print?: object
  readonly printer?: Awaited<ReturnType<typeof aPrinter>> | null
  readonly size?: { width: number; height: number }
}

/** A picture whose places are told apart by their colour, with a mark at its top left. */
export async function aPicture(
  place: number,
  { width = 320, height = 240 } = {},
  isTagged = false,
): Promise<Buffer> {
  const mark = Buffer.from(
    `<svg width="${width}" height="${height}"><rect width="${width / 4}" height="${height / 4}" fill="${isTagged ? 'red' : 'white'}"/></svg>`,
  )
  return await sharp({
    create: {
      width,
      height,
      channels: 3,
      background: { r: (place * 9) % 256, g: 60, b: 200 - (place % 180) },
    },
  })
    .composite([{ input: mark, top: 0, left: 0 }])
    .jpeg()
    .toBuffer()
}

const harmed = (bytes: Buffer, harm: 'torn' | 'cut' | null) => {
  if (harm === 'cut') return bytes.subarray(0, bytes.length / 2)
  if (harm === null) return bytes
  // The rows below the middle are noise, and the end is there.
  const torn = Buffer.from(bytes)
  for (let i = bytes.length >> 1; i < bytes.length - 2; i++) torn[i] = (i * 7) % 251
  return torn
}

/** A print that has just ended, with its frames and what was said of them, as rows and files. */
export async function aFilmedPrint(app: TestApp, owner: TestUser, filmed: Filmed) {
  const {
    frames,
    everyMs = 10_000,
    look = () => null,
    tagged = () => false,
    harm = () => null,
    size,
  } = filmed
  const { db, files, clock } = app.ctx
  const printer = filmed.printer === undefined ? await aPrinter(app, owner) : filmed.printer
  const endedAt = clock.now()
  const startedAt = endedAt - frames * everyMs
  const { id: printId } = await db
    .insertInto('prints')
    .values({
      userId: owner.id,
      printerId: printer?.id ?? null,
      filename: 'vase.gcode',
      startedAt: new Date(startedAt),
      finishedAt: new Date(endedAt),
      ...filmed.print,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (let place = 0; place < frames; place++) {
    const at = new Date(startedAt + place * everyMs)
    const ref = (folder: string) =>
      ({
        container: 'tsd-pics',
        path: `${folder}/${printer?.id ?? 'uploads'}/${printId}/${String(place).padStart(6, '0')}.jpg`,
      }) as const
    const bytes = await aPicture(place, size)
    const damage = harm(place)
    if (damage !== 'gone') await files.put(ref('raw'), harmed(bytes, damage))
    if (tagged(place)) await files.put(ref('tagged'), await aPicture(place, size, true))
    const { id: frameId } = await db
      .insertInto('frames')
      .values({
        printerId: printer?.id ?? null,
        printId,
        picture: JSON.stringify(ref('raw')),
        tagged: tagged(place) ? JSON.stringify(ref('tagged')) : null,
        numBytes: bytes.length,
        width: size?.width ?? 320,
        height: size?.height ?? 240,
        createdAt: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const said = look(place)
    if (said === null) continue
    await db
      .insertInto('decisions')
      .values({
        printerId: printer?.id ?? null,
        printId,
        frameId,
        createdAt: at,
        model: 'scripted',
        score: said.p,
        blind: said.blind ?? null,
        boxes: JSON.stringify(said.boxes ?? []),
        decision: said.decision ?? 'none',
        heat: JSON.stringify({ width: 2, height: 1, values: 'AP8=', grid: 'AP8=' }),
        state: JSON.stringify({
          currentFrameNum: place + 1,
          lifetimeFrameNum: place + 101,
          currentP: said.p,
          ewmMean: said.p,
          rollingMeanShort: 0.1,
          rollingMeanLong: 0.05,
          normalizedP: said.p / 2,
        }),
      })
      .execute()
  }
  return { printId, printer }
}
