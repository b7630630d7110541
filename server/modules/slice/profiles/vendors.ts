import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as otherWork } from 'node:timers/promises'
import { type Bundle, BUNDLE_BYTES, readBundle } from '../../../lib/slicing/bundle.ts'
import {
  type Brand,
  brandOf,
  type Catalogue,
  catalogueOf,
  type Engine,
  Ids,
} from '../../../lib/slicing/catalogue.ts'
import { ORCA_BYTES, orcaBrandOf, readOrcaVendor } from '../../../lib/slicing/orca.ts'

/** More than any slicer has. */
const MOST_VENDORS = 200
/** Of OrcaSlicer: filaments that others inherit from. */
const LIBRARY = 'OrcaFilamentLibrary'
const END: Readonly<Record<Engine, string>> = { prusa: '.ini', orca: '.json' }

/** A file that has, or names, a vendor's profiles, and how it is known again. */
export interface Vendor {
  readonly engine: Engine
  readonly vendor: string
  readonly path: string
  readonly stamp: string
}

/** The vendors of an engine whose profiles lie in a folder. */
export async function vendorsIn(engine: Engine, folder: string | null): Promise<Vendor[]> {
  if (folder === null) return []
  const names = await readdir(folder).catch(() => [])
  const all = names
    .filter((name) => name.endsWith(END[engine]))
    .toSorted()
    .slice(0, MOST_VENDORS)
  const found = await Promise.all(
    all.map(async (name) => {
      const path = join(folder, name)
      // One that has gone since, or leads nowhere, costs no other.
      const there = await stat(path).catch(() => null)
      if (there === null || there.size > BUNDLE_BYTES) return []
      const vendor = name.slice(0, -END[engine].length)
      return [{ engine, vendor, path, stamp: `${there.size} ${there.mtimeMs}` }]
    }),
  )
  return found.flat()
}

/** One vendor after the other: whoever else has something to do does it in between. */
export async function readVendors(vendors: readonly Vendor[]): Promise<Catalogue> {
  const ids = new Ids()
  const brands: Brand[] = []
  const library = vendors.find(({ engine, vendor }) => engine === 'orca' && vendor === LIBRARY)
  const shared = library ? await readOrca(library) : null
  for (const vendor of vendors) {
    if (vendor.engine === 'prusa')
      brands.push(brandOf(vendor.vendor, readBundle(await readFile(vendor.path, 'utf8')), ids))
    else if (vendor !== library)
      brands.push(apart(orcaBrandOf(vendor.vendor, await readOrca(vendor), shared, ids), brands))
    await otherWork()
  }
  return catalogueOf(brands.filter(({ models }) => models.length > 0))
}

/** Who has profiles of both slicers is named twice. */
const apart = (brand: Brand, others: readonly Brand[]): Brand =>
  others.some((one) => one.brand === brand.brand && one.models.length > 0)
    ? { ...brand, brand: `${brand.brand} (OrcaSlicer)` }
    : brand

async function readOrca({ path, vendor }: Vendor): Promise<Bundle> {
  const folder = join(path, '..', vendor)
  return await readOrcaVendor(await readFile(path, 'utf8'), async (file) => {
    const found = await stat(join(folder, file)).catch(() => null)
    return found?.isFile() && found.size <= ORCA_BYTES ? await readFile(join(folder, file), 'utf8') : null
  })
}
