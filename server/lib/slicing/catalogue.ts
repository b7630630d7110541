import { createHash } from 'node:crypto'
import { type Bundle, isAbstract, listIn, namesIn, type Values, withParents } from './bundle.ts'
import { type Condition, readCondition } from './conditions.ts'
import { bedIn, heightIn } from './flat.ts'

/** Programs whose profiles these are. */
export type Engine = 'prusa' | 'orca'

/** Whose profile is named so. */
export const engineOf = (subPath: string): Engine => (subPath.startsWith('orca:') ? 'orca' : 'prusa')

/** Names a profile for ever. */
export const subPathOf = (engine: Engine, vendor: string, kind: string, name: string): string =>
  `${engine}:${vendor}/${kind}/${name}`

/** A print's or filament's profile. */
export interface Preset {
  readonly id: number
  readonly kind: 'print' | 'filament'
  readonly name: string
  /** Names it for ever, and is no path of a file. */
  readonly subPath: string
  readonly values: Values
}

/** A printer with one nozzle, as a profile has it. */
export interface Machine {
  readonly id: number
  readonly name: string
  readonly subPath: string
  readonly nozzles: readonly string[]
  readonly bed: readonly (readonly [number, number])[]
  readonly height: number
  readonly values: Values
  readonly filaments: readonly Preset[]
  readonly prints: readonly Preset[]
  readonly filament: Preset | null
  readonly print: Preset | null
}

export interface MachineModel {
  readonly id: number
  readonly name: string
  /** Of its vendor, to find its picture. */
  readonly key: string
  readonly vendor: string
  readonly engine: Engine
  readonly machines: readonly Machine[]
}

export interface Brand {
  readonly brand: string
  readonly models: readonly MachineModel[]
}

/** All of an engine's profiles. */
export interface Catalogue {
  readonly brands: readonly Brand[]
  readonly machines: ReadonlyMap<number, Machine>
  readonly presets: ReadonlyMap<number, Preset>
  readonly models: ReadonlyMap<number, MachineModel & { readonly brand: string }>
  readonly bySubPath: ReadonlyMap<string, Machine | Preset>
}

/** Ids that stay: 31 bits of the hash of what is named; who comes second to the same takes the next hash. */
export class Ids {
  readonly #taken = new Set<number>()
  of(subPath: string): number {
    for (let more = ''; ; more += '+') {
      const id =
        createHash('sha256')
          .update(subPath + more)
          .digest()
          .readUInt32BE(0) >>> 1
      if (id === 0 || this.#taken.has(id)) continue
      this.#taken.add(id)
      return id
    }
  }
}

type Selectable = Preset & { readonly fits: (name: string, printer: Values) => boolean }

/** One vendor's part of the catalogue, of a bundle of PrusaSlicer: models of which no printer can be chosen are left out. */
export function brandOf(vendor: string, bundle: Bundle, ids: Ids): Brand {
  const filaments = presetsOf('filament', vendor, bundle.filaments, ids)
  const prints = presetsOf('print', vendor, bundle.prints, ids)
  const byModel = new Map<string, Machine[]>()
  for (const name of [...bundle.printers.keys()].filter((one) => !isAbstract(one)).toSorted()) {
    const values = withParents(bundle.printers, name)
    if (values.get('printer_technology') === 'SLA') continue
    const machine = machineOf(vendor, name, values, { filaments, prints, ids })
    if (machine === null) continue
    const model = values.get('printer_model') ?? name
    byModel.set(model, [...(byModel.get(model) ?? []), machine])
  }
  const models = [...byModel].map(([key, machines]) => ({
    id: ids.of(subPathOf('prusa', vendor, 'model', key)),
    name: bundle.models.get(key)?.get('name') ?? key,
    key,
    vendor,
    engine: 'prusa' as const,
    machines,
  }))
  return { brand: vendor, models }
}

function machineOf(
  vendor: string,
  name: string,
  values: Map<string, string>,
  { filaments, prints, ids }: { filaments: Selectable[]; prints: Selectable[]; ids: Ids },
): Machine | null {
  // Where nothing is said it is what the slicer has.
  if (!values.has('nozzle_diameter')) values.set('nozzle_diameter', '0.4')
  const nozzles = listIn(values.get('nozzle_diameter'))
  values.set('num_extruders', String(nozzles.length))
  const fitting = {
    filaments: filaments.filter((one) => one.fits(name, values)),
    prints: prints.filter((one) => one.fits(name, values)),
  }
  values.delete('num_extruders')
  const subPath = subPathOf('prusa', vendor, 'printer', name)
  if (fitting.filaments.length === 0 || fitting.prints.length === 0) return null
  const named = (all: readonly Preset[], wanted: string | undefined) =>
    all.find((one) => namesIn(wanted).includes(one.name)) ?? all[0] ?? null
  return {
    id: ids.of(subPath),
    name,
    subPath,
    nozzles,
    bed: bedIn(values),
    height: heightIn(values),
    values,
    ...fitting,
    filament: named(fitting.filaments, values.get('default_filament_profile')),
    print: named(fitting.prints, values.get('default_print_profile')),
  }
}

function presetsOf(
  kind: Preset['kind'],
  vendor: string,
  sections: ReadonlyMap<string, Values>,
  ids: Ids,
): Selectable[] {
  const conditions = new Map<string, Condition>()
  return [...sections.keys()]
    .filter((name) => !isAbstract(name))
    .toSorted()
    .map((name) => {
      const values = withParents(sections, name)
      const subPath = subPathOf('prusa', vendor, kind, name)
      const listed = namesIn(values.get('compatible_printers'))
      const source = values.get('compatible_printers_condition') ?? ''
      const condition = conditions.get(source) ?? readCondition(source)
      conditions.set(source, condition)
      const fits = (printer: string, said: Values) =>
        listed.length > 0 ? listed.includes(printer) : condition(said)
      return { id: ids.of(subPath), kind, name, subPath, values, fits }
    })
}

/** The parts of all vendors as one. */
export function catalogueOf(brands: readonly Brand[]): Catalogue {
  const models = brands.flatMap(({ brand, models: own }) => own.map((model) => ({ ...model, brand })))
  const machines = models.flatMap((model) => model.machines)
  const presets = new Set(machines.flatMap((one) => [...one.filaments, ...one.prints]))
  return {
    brands,
    machines: new Map(machines.map((one) => [one.id, one])),
    presets: new Map([...presets].map((one) => [one.id, one])),
    models: new Map(models.map((one) => [one.id, one])),
    bySubPath: new Map([...machines, ...presets].map((one) => [one.subPath, one])),
  }
}

/** What somebody slices with, by `subPath`. */
export interface Named {
  readonly machine: string
  readonly filament: string
  readonly print: string
}

/** The profiles of these names, as far as they are there: what goes with another machine is not. */
export function profilesNamed({ bySubPath }: Catalogue, named: Named) {
  const found = bySubPath.get(named.machine)
  const machine = found && 'nozzles' in found ? found : undefined
  return {
    machine,
    filament: machine?.filaments.find(({ subPath }) => subPath === named.filament),
    print: machine?.prints.find(({ subPath }) => subPath === named.print),
  }
}
