import { z } from 'zod'
import { type Bundle, type Values, withParents } from './bundle.ts'
import { type Brand, type Ids, type Machine, type MachineModel, type Preset, subPathOf } from './catalogue.ts'
import { bedIn, heightIn } from './flat.ts'

/** The largest file of a profile that is read, and the most of one vendor. */
export const ORCA_BYTES = 1_048_576
const MOST_PROFILES = 5_000
const LONGEST_VALUE = 65_536

const listed = z
  .array(z.object({ name: z.string().max(300), sub_path: z.string().max(500) }))
  .max(MOST_PROFILES)
  .catch([])
const index = z.object({
  machine_model_list: listed,
  machine_list: listed,
  filament_list: listed,
  process_list: listed,
})
const profile = z.record(z.string(), z.unknown())

/**
 * Reads a vendor's profiles as OrcaSlicer has them: `index` names a file for each, which `read` brings (null: not there). What is a list
 * stands as JSON; what is no profile is left out.
 */
export async function readOrcaVendor(
  content: string,
  read: (path: string) => Promise<string | null>,
): Promise<Bundle> {
  const parsed = index.safeParse(jsonIn(content))
  const lists = parsed.data
  const section = async (list: z.infer<typeof listed> | undefined) => {
    const found = new Map<string, Values>()
    for (const { name, sub_path: path } of list ?? []) {
      const values = isInside(path) ? valuesIn(await read(path)) : null
      if (values !== null) found.set(name, values)
    }
    return found
  }
  return {
    models: await section(lists?.machine_model_list),
    printers: await section(lists?.machine_list),
    prints: await section(lists?.process_list),
    filaments: await section(lists?.filament_list),
  }
}

/** Below the vendor's own folder. */
const isInside = (path: string) => !path.startsWith('/') && !path.split(/[/\\]/).includes('..')

/** What a text says as JSON; null where it is none. */
export function jsonIn(content: string): unknown {
  try {
    const parsed: unknown = JSON.parse(content)
    return parsed
  } catch {
    return null
  }
}

function valuesIn(content: string | null): Values | null {
  const parsed = profile.safeParse(content === null ? null : jsonIn(content))
  if (!parsed.success) return null
  const values = new Map<string, string>()
  for (const [key, value] of Object.entries(parsed.data)) {
    const text = typeof value === 'string' ? value : Array.isArray(value) ? JSON.stringify(value) : null
    if (text !== null && text.length <= LONGEST_VALUE && /^[a-z0-9_]{1,100}$/.test(key)) values.set(key, text)
  }
  return values
}

const list = z.array(z.string())

/** What is a list in a profile; null for one word. */
export function listOf(value: string): readonly string[] | null {
  if (!value.startsWith('[')) return null
  return list.safeParse(jsonIn(value)).data ?? null
}
const wordsIn = (value: string | undefined): readonly string[] =>
  value === undefined || value === '' ? [] : (listOf(value) ?? [value])

type Fitting = Preset & { readonly printers: readonly string[] }

/** One vendor's part of the catalogue; `library` has filaments that all vendors inherit from. */
export function orcaBrandOf(vendor: string, bundle: Bundle, library: Bundle | null, ids: Ids): Brand {
  const shared = { ...bundle, filaments: new Map([...(library?.filaments ?? []), ...bundle.filaments]) }
  const filaments = presetsOf('filament', vendor, shared.filaments, bundle.filaments, ids)
  const prints = presetsOf('print', vendor, bundle.prints, bundle.prints, ids)
  const byModel = new Map<string, Machine[]>()
  for (const name of chosenOf(bundle.printers)) {
    const values = withParents(bundle.printers, name)
    const machine = machineOf(vendor, name, values, { filaments, prints, ids })
    if (machine === null) continue
    const model = values.get('printer_model') ?? name
    byModel.set(model, [...(byModel.get(model) ?? []), machine])
  }
  const models = [...byModel].map(([name, machines]): MachineModel => ({
    id: ids.of(subPathOf('orca', vendor, 'model', name)),
    name,
    key: name,
    vendor,
    engine: 'orca',
    machines,
  }))
  return { brand: vendor, models }
}

/** Those that can be chosen: others are there to be inherited from. */
const chosenOf = (sections: ReadonlyMap<string, Values>): string[] =>
  [...sections].flatMap(([name, own]) => (own.get('instantiation') === 'true' ? [name] : [])).toSorted()

function presetsOf(
  kind: Preset['kind'],
  vendor: string,
  sections: ReadonlyMap<string, Values>,
  own: ReadonlyMap<string, Values>,
  ids: Ids,
): Fitting[] {
  return chosenOf(own).map((name) => {
    const values = withParents(sections, name)
    const subPath = subPathOf('orca', vendor, kind, name)
    return {
      id: ids.of(subPath),
      kind,
      name,
      subPath,
      values,
      printers: wordsIn(values.get('compatible_printers')),
    }
  })
}

function machineOf(
  vendor: string,
  name: string,
  values: Values,
  { filaments, prints, ids }: { filaments: Fitting[]; prints: Fitting[]; ids: Ids },
): Machine | null {
  const fits = ({ printers }: Fitting) => printers.length === 0 || printers.includes(name)
  const fitting = { filaments: filaments.filter(fits), prints: prints.filter(fits) }
  if (fitting.filaments.length === 0 || fitting.prints.length === 0) return null
  const subPath = subPathOf('orca', vendor, 'printer', name)
  const plate: Values = new Map([
    ['bed_shape', wordsIn(values.get('printable_area')).join(',')],
    ['max_print_height', values.get('printable_height') ?? ''],
  ])
  const named = (all: readonly Preset[], wanted: string | undefined) =>
    all.find((one) => wordsIn(wanted).includes(one.name)) ?? all[0] ?? null
  return {
    id: ids.of(subPath),
    name,
    subPath,
    nozzles: wordsIn(values.get('nozzle_diameter') ?? '0.4'),
    bed: bedIn(plate),
    height: heightIn(plate),
    values,
    ...fitting,
    filament: named(fitting.filaments, values.get('default_filament_profile')),
    print: named(fitting.prints, values.get('default_print_profile')),
  }
}
