import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as otherWork } from 'node:timers/promises'
import { openSlicer } from '../../../engines/slicer/index.ts'
import type { Ctx } from '../../../ctx.ts'
import { invalid } from '../../../http/errors.ts'
import { text } from '../../../http/texts.ts'
import { BUNDLE_BYTES, readBundle } from '../../../lib/slicing/bundle.ts'
import {
  type Brand,
  brandOf,
  type Catalogue,
  catalogueOf,
  Ids,
  type Named,
  profilesNamed,
} from '../../../lib/slicing/catalogue.ts'
import { BadSetting, inTheirWords } from '../../../lib/slicing/settings.ts'
import { ofServer } from '../../../lib/of-server.ts'

/** More bundles than any slicer has. */
const MOST_BUNDLES = 200
/** Whether others lie there is looked at again after this. */
const FRESH_MS = 10_000
/** One that was there seldom goes. */
const NAME_MS = 120_000

interface File {
  readonly vendor: string
  readonly path: string
  readonly stamp: string
}

const EMPTY = catalogueOf([])
const heldBy = ofServer(() => ({ stamp: '', lookedAt: -Infinity, catalogue: Promise.resolve(EMPTY) }))

const named = ofServer(() => ({ lookedAt: -Infinity, name: Promise.resolve<string | null>(null) }))

/** Which slicer there is; null: none. It is asked now and then; while a machine is so busy that it does not answer it is as before. */
export async function slicerName(ctx: Ctx): Promise<string | null> {
  const held = named(ctx)
  const now = ctx.clock.monotonic()
  const before = await held.name
  if (now - held.lookedAt >= (before === null ? FRESH_MS : NAME_MS)) {
    held.lookedAt = now
    held.name = openSlicer(ctx)
      .version()
      .catch(() => before)
  }
  return await held.name
}

/** All profiles of the slicer that is there; none where there is none. Read once, and again when its files are others. */
export async function readProfiles(ctx: Ctx): Promise<Catalogue> {
  const held = heldBy(ctx)
  const now = ctx.clock.monotonic()
  if (now - held.lookedAt < FRESH_MS) return await held.catalogue
  held.lookedAt = now
  const files = await bundlesIn(openSlicer(ctx).profiles)
  const stamp = JSON.stringify(files)
  if (stamp === held.stamp) return await held.catalogue
  held.stamp = stamp
  held.catalogue = readAll(files).catch((error: unknown) => {
    held.stamp = ''
    throw error
  })
  return await held.catalogue
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
    inTheirWords(overwrites, print.values)
  } catch (error) {
    if (error instanceof BadSetting)
      throw invalid({ profile_overwrites: text('slicing-server', 'badSetting', { key: error.key }) })
    throw error
  }
}

async function bundlesIn(folder: string): Promise<File[]> {
  const names = await readdir(folder).catch(() => [])
  const bundles = names
    .filter((name) => name.endsWith('.ini'))
    .toSorted()
    .slice(0, MOST_BUNDLES)
  const found = await Promise.all(
    bundles.map(async (name) => {
      const path = join(folder, name)
      const { size, mtimeMs } = await stat(path)
      return size <= BUNDLE_BYTES ? [{ vendor: name.slice(0, -4), path, stamp: `${size} ${mtimeMs}` }] : []
    }),
  )
  return found.flat()
}

/** One vendor after the other: whoever else has something to do does it in between. */
async function readAll(files: readonly File[]): Promise<Catalogue> {
  const ids = new Ids()
  const brands: Brand[] = []
  for (const { vendor, path } of files) {
    brands.push(brandOf(vendor, readBundle(await readFile(path, 'utf8')), ids))
    await otherWork()
  }
  return catalogueOf(brands.filter(({ models }) => models.length > 0))
}

/** The picture of a model of printers; null where its vendor has none. */
export async function coverPath(
  ctx: Ctx,
  { brand, key }: { readonly brand: string; readonly key: string },
): Promise<string | null> {
  if (!/^[\w +.-]{1,100}$/.test(key) || key.startsWith('.')) return null
  const path = join(openSlicer(ctx).profiles, brand, `${key}_thumbnail.png`)
  return (await stat(path).catch(() => null))?.isFile() ? path : null
}
