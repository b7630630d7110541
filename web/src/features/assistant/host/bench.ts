import type { Settings } from '@vigil/contract/assistant/presets.ts'
import type { MeshModel } from '@vigil/contract/slice/models.ts'
import type { SliceMachine, SlicePreset } from '@vigil/contract/slice/slicer.ts'
import { cornersOf, middleOf, type Shape, type Vector } from '../../slice/meshes/index.ts'

/** A preset as the simulated slicer has it: what it says, and what of this server's catalogue it is; null: one that is always there. */
export interface BenchPreset<T> {
  readonly name: string
  readonly config: Settings
  readonly of: T | null
}

export type Kind = 'printer' | 'filament' | 'print'

export interface BenchModel {
  readonly key: string
  readonly name: string
  readonly url: string
  readonly shape: Shape
  /** Where its middle stands; degrees. */
  readonly translate: Vector
  readonly rotate: Vector
}

export interface BenchState {
  readonly printers: readonly BenchPreset<SliceMachine>[]
  readonly filaments: readonly BenchPreset<SlicePreset>[]
  readonly processes: readonly BenchPreset<SlicePreset>[]
  readonly selected: Readonly<Record<Kind, string>>
  /** What was changed of the selected presets, and not saved. */
  readonly overrides: Readonly<Record<Kind, Settings>>
  readonly models: readonly BenchModel[]
  readonly before: readonly (readonly BenchModel[])[]
  /** 0 to 1; null while nothing is sliced. */
  readonly slicing: number | null
  readonly fileId: number | null
  readonly isPreview: boolean
  readonly exported: string | null
  readonly panel: { readonly isVisible: boolean; readonly mode: 'large' | 'small' }
  readonly badges: { readonly red: number; readonly orange: number; readonly green: number }
  readonly wizard: 'add_printers' | 'add_filaments' | null
  /** A slicer of old knows fewer actions, and some by another name. */
  readonly isOld: boolean
  readonly isBlocked: boolean
  readonly log: readonly string[]
}

const NONE: BenchState['overrides'] = { printer: {}, filament: {}, print: {} }
const always = { name: 'Default', config: {}, of: null }
const MOST_LINES = 300
const MOST_STEPS = 30

/** Of the plates the engine knows one. */
export const OTHER_PLATES = /^(?:cool|eng|textured|textured_cool)_plate_temp/

/** What the simulated slicer knows, and who hears of its changes. */
export class Bench {
  #state: BenchState = {
    printers: [always],
    filaments: [always],
    processes: [],
    selected: { printer: always.name, filament: always.name, print: '' },
    overrides: NONE,
    models: [],
    before: [],
    slicing: null,
    fileId: null,
    isPreview: false,
    exported: null,
    panel: { isVisible: true, mode: 'small' },
    badges: { red: 0, orange: 0, green: 0 },
    wizard: null,
    isOld: false,
    isBlocked: false,
    log: [],
  }
  readonly #watchers = new Set<() => void>()
  #made = 0

  readonly state = (): BenchState => this.#state
  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  set(news: Partial<BenchState>): void {
    this.#state = { ...this.#state, ...news }
    for (const watcher of this.#watchers) watcher()
  }

  note(line: string): void {
    this.set({ log: [line, ...this.#state.log].slice(0, MOST_LINES) })
  }

  get machine(): SliceMachine | null {
    const { printers, selected } = this.#state
    return printers.find(({ name }) => name === selected.printer)?.of ?? null
  }

  /** Selects, as the real one does: what was changed of all three and not saved is gone. Raises for a kind or name that is not there. */
  select(kind: string, name: string): void {
    const { printers, filaments, processes, selected } = this.#state
    const all = { printer: printers, filament: filaments, print: processes }
    if (kind !== 'printer' && kind !== 'filament' && kind !== 'print')
      throw new Error(`select_preset: unknown type ${kind}`)
    if (!all[kind].some((one) => one.name === name)) throw new Error(`select_preset: no preset ${name}`)
    this.set({ selected: { ...selected, [kind]: name }, overrides: NONE, fileId: null })
  }

  /** Whether a selected preset knows a setting: of beds the profiles have one, and the slicer five. */
  has(kind: 'filament' | 'print', key: string): boolean {
    return OTHER_PLATES.test(key) || Object.hasOwn(this.preset(kind)?.config ?? {}, key)
  }

  /** Changes a setting of a selected preset; one that is as the preset says is not changed. */
  override(kind: 'filament' | 'print', key: string, value: string): void {
    const { overrides } = this.#state
    const said = this.preset(kind)?.config[key]
    const own = { ...overrides[kind] }
    if (wordOf(said) === value) delete own[key]
    else own[key] = kind === 'filament' ? [value] : value
    this.set({ overrides: { ...overrides, [kind]: own }, fileId: null })
  }

  preset(kind: Kind): BenchPreset<SliceMachine | SlicePreset> | undefined {
    const { printers, filaments, processes, selected } = this.#state
    const all = kind === 'printer' ? printers : kind === 'filament' ? filaments : processes
    return all.find(({ name }) => name === selected[kind])
  }

  /** Another plate; the one before can be had again. */
  place(models: readonly BenchModel[]): void {
    const { before, models: old } = this.#state
    this.set({ models, before: [...before, old].slice(-MOST_STEPS), fileId: null, isPreview: false })
  }

  undo(): void {
    const { before } = this.#state
    const last = before.at(-1)
    if (last) this.set({ models: last, before: before.slice(0, -1), fileId: null })
  }

  get middle(): readonly [number, number] {
    return middleOf(cornersOf(this.machine?.printable_area))
  }

  add({ name, mesh_url }: MeshModel, shape: Shape): void {
    const [x, y] = this.middle
    const model = { key: `model-${++this.#made}`, name, url: mesh_url, shape }
    this.place([...this.#state.models, { ...model, translate: [x, y, 0], rotate: [0, 0, 0] }])
  }
}

/** The first of a list, as text. */
export function wordOf(value: Settings[string] | undefined): string | null {
  const one = Array.isArray(value) ? (value[0] ?? null) : value
  return one === undefined || one === null ? null : String(one)
}
