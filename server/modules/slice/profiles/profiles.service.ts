import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { openSlicer, slicerOf } from '../../../engines/slicer/index.ts'
import type { Ctx } from '../../../ctx.ts'
import { invalid } from '../../../http/errors.ts'
import { text } from '../../../http/texts.ts'
import {
  type Catalogue,
  catalogueOf,
  type Engine,
  type MachineModel,
  type Named,
  profilesNamed,
} from '../../../lib/slicing/catalogue.ts'
import { BadSetting } from '../../../lib/slicing/settings.ts'
import { wordsFor } from '../../../lib/slicing/words.ts'
import { ofServer } from '../../../lib/of-server.ts'
import { readVendors, vendorsIn } from './vendors.ts'

/** Whether others lie there is looked at again after this. */
const FRESH_MS = 10_000
/** One that was there seldom goes. */
const NAME_MS = 120_000

const EMPTY = catalogueOf([])
const heldBy = ofServer(() => ({ stamp: '', lookedAt: -Infinity, catalogue: Promise.resolve(EMPTY) }))

const nameless = () => ({ lookedAt: -Infinity, name: Promise.resolve<string | null>(null) })
const named = ofServer(() => ({ prusa: nameless(), orca: nameless() }))

/** Which slicers there are; null: none. */
export async function slicerName(ctx: Ctx): Promise<string | null> {
  const names = await Promise.all([nameOf(ctx, 'prusa'), nameOf(ctx, 'orca')])
  return names.filter((name) => name !== null).join(', ') || null
}

/** Name and version of one; null where it is not there. It is asked now and then; while a machine is so busy that it does not answer it is as before. */
export async function nameOf(ctx: Ctx, engine: Engine): Promise<string | null> {
  const slicer = slicerOf(ctx, engine)
  if (slicer === null) return null
  const held = named(ctx)[engine]
  const now = ctx.clock.monotonic()
  const before = await held.name
  if (now - held.lookedAt >= (before === null ? FRESH_MS : NAME_MS)) {
    held.lookedAt = now
    held.name = slicer.version().catch(() => before)
  }
  return await held.name
}

/** All profiles of the slicers that are there, as one catalogue; none where there is none. Read once, and again when its files are others. */
export async function readProfiles(ctx: Ctx): Promise<Catalogue> {
  const held = heldBy(ctx)
  const now = ctx.clock.monotonic()
  if (now - held.lookedAt < FRESH_MS) return await held.catalogue
  held.lookedAt = now
  // Whoever asks meanwhile waits for the same: before the first are read there are none.
  held.catalogue = lookAgain(ctx, held).catch((error: unknown) => {
    held.stamp = ''
    throw error
  })
  return await held.catalogue
}

async function lookAgain(ctx: Ctx, held: ReturnType<typeof heldBy>): Promise<Catalogue> {
  const before = held.catalogue
  const vendors = [
    ...(await vendorsIn('prusa', openSlicer(ctx).profiles)),
    ...(await vendorsIn('orca', slicerOf(ctx, 'orca')?.profiles ?? null)),
  ]
  const stamp = JSON.stringify(vendors)
  if (stamp === held.stamp) return await before
  held.stamp = stamp
  return await readVendors(vendors)
}

/** Raises 400, beside the field, for profiles that do not go together here, and for settings that cannot stand over them. */
export async function requireSliceable(
  ctx: Ctx,
  named: Named,
  overwrites: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { filament, print } = profilesNamed(await readProfiles(ctx), named)
  if (!filament || !print) throw invalid({ slicer_profiles: text('slicing-server', 'noProfile') })
  try {
    wordsFor(print).theirs(overwrites, print.values)
  } catch (error) {
    if (error instanceof BadSetting)
      throw invalid({ profile_overwrites: text('slicing-server', 'badSetting', { key: error.key }) })
    throw error
  }
}

/** The picture of a model of printers; null where its vendor has none. */
export async function coverPath(ctx: Ctx, { engine, vendor, key }: MachineModel): Promise<string | null> {
  if (!/^[\w +.()-]{1,100}$/.test(key) || key.startsWith('.')) return null
  const folder = slicerOf(ctx, engine)?.profiles
  if (folder === undefined) return null
  const path = join(folder, vendor, `${key}_${engine === 'orca' ? 'cover' : 'thumbnail'}.png`)
  return (await stat(path).catch(() => null))?.isFile() ? path : null
}
