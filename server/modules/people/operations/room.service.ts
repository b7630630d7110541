import type * as contract from '@vigil/contract/people/operations.ts'
import { z } from 'zod'
import type { Ctx } from '../../../ctx.ts'
import type { Space } from '../../../engines/files/space.ts'
import { RESERVE_BYTES } from '../../../engines/files/space.ts'
import { text } from '../../../http/texts.ts'
import type { EventMap } from '../../../lib/events.ts'
import { defineMail } from '../mail/index.ts'
import { tellAdmins } from './admins.service.ts'
import { fullAt, withSample } from './forecast.rules.ts'
import { findFreed, findSamples, saveFreed, saveSamples } from './system.queries.ts'

const DAY_MS = 86_400_000
const say = (key: string, params?: Record<string, string>) => text('admin-server', key, params)
const samplesShape = z.array(z.object({ at: z.number(), free: z.number() }))
const freedShape = z.object({
  at: z.number(),
  frames: z.int(),
  films: z.int(),
  bytes: z.number(),
  isScarce: z.boolean(),
})

const diskScarce = defineMail({
  name: 'disk-scarce',
  schema: z.object({ folder: z.string() }),
  samples: { usual: { folder: '/var/lib/vigil' } },
  write: ({ folder }, { brand, link }) => ({
    subject: say('diskScarceSubject', { brand: brand.display_name }),
    title: say('diskScarceTitle'),
    blocks: [
      { kind: 'text', words: say('diskScarceText', { folder }) },
      { kind: 'buttons', buttons: [{ label: say('seeSystem'), href: link('/admin/system/') }] },
    ],
  }),
})

/** Notes each hour how much is free, and what went to make room; writes to administrators, once a day, when that was not enough. */
export function watchRoom(ctx: Ctx, space: Space): void {
  ctx.jobs.schedule('disk-sample', '7 * * * *', () => sampleRoom(ctx, space))
  ctx.events.on('storage.freed', (freed) => {
    void noteFreed(ctx, freed).catch((error: unknown) =>
      ctx.log.error({ err: error }, 'what made room was not noted'),
    )
  })
}

/** Notes how much is free now; where files lie in a bucket, its disk is not ours. */
export async function sampleRoom(ctx: Ctx, space: Pick<Space, 'freeBytes'>): Promise<void> {
  if (space.freeBytes === null || ctx.config.S3_URL !== undefined) return
  const before = samplesShape.safeParse(await findSamples(ctx.db)).data ?? []
  await saveSamples(
    ctx.db,
    JSON.stringify(withSample(before, { at: ctx.clock.now(), free: space.freeBytes })),
  )
}

async function noteFreed(ctx: Ctx, freed: EventMap['storage.freed']): Promise<void> {
  await ctx.db.transaction().execute(async (db) => {
    await saveFreed(db, JSON.stringify(freed))
    if (!freed.isScarce) return
    const key = `disk-scarce:${Math.floor(freed.at / DAY_MS)}`
    await tellAdmins({ ...ctx, db }, { template: diskScarce, data: { folder: ctx.config.dataFolder }, key })
  })
}

/** What stored files may take, when the disk is full as it goes, and what went last. */
export async function showRoom({ db, config }: Ctx) {
  const [samples, freed] = await Promise.all([findSamples(db), findFreed(db)])
  const last = freedShape.safeParse(freed).data
  const keepFree = config.STORAGE_KEEP_FREE_MB * 1024 ** 2
  const full = fullAt(samplesShape.safeParse(samples).data ?? [], Math.max(keepFree, RESERVE_BYTES))
  const limit = (gigabytes: number) => (gigabytes === 0 ? null : gigabytes * 1024 ** 3)
  return {
    keep_free_bytes: keepFree,
    pictures_limit_bytes: limit(config.STORAGE_PICTURES_GB),
    films_limit_bytes: limit(config.STORAGE_FILMS_GB),
    full_at: full === null ? null : new Date(full).toISOString(),
    freed:
      last === undefined
        ? null
        : {
            at: new Date(last.at).toISOString(),
            pictures: last.frames,
            films: last.films,
            bytes: last.bytes,
            is_scarce: last.isScarce,
          },
  } satisfies Partial<contract.System['disk']>
}
