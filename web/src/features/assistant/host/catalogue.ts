import type { QueryClient } from '@tanstack/react-query'
import type { SliceMachine, SlicePreset } from '@vigil/contract/slice/slicer.ts'
import {
  filamentsQuery,
  machinesQuery,
  presetQuery,
  processesQuery,
  settingsQuery,
} from '../../slice/profiles/index.ts'
import type { Bench, BenchPreset } from './bench.ts'

/** A slicer shows those that somebody has installed, not all that there are. */
const MOST_FILAMENTS = 8
const MOST_PROCESSES = 12
const USUAL = /Ender-3 V2 \(0\.4/

/** As many of them, the usual ones of all makers first. */
function someOf(presets: readonly SlicePreset[], first: SlicePreset | null, most: number): SlicePreset[] {
  const rank = ({ id, name }: SlicePreset) => (id === first?.id ? 0 : name.startsWith('Generic') ? 1 : 2)
  return presets.toSorted((one, other) => rank(one) - rank(other)).slice(0, most)
}

const withConfig = async (client: QueryClient, of: SlicePreset): Promise<BenchPreset<SlicePreset>> => ({
  name: of.name,
  config: await client.ensureQueryData(presetQuery(of.id)),
  of,
})

const printerOf = async (client: QueryClient, of: SliceMachine): Promise<BenchPreset<SliceMachine>> => ({
  name: of.name,
  config: {
    ...(await client.ensureQueryData(presetQuery(of.id))),
    printer_model: of.name,
    nozzle_diameter: of.nozzle_diameter,
    printable_area: of.printable_area,
    printable_height: String(of.printable_height),
  },
  of,
})

/** Installs a printer with its filaments and processes, and selects what it comes with. */
export async function install(bench: Bench, client: QueryClient, machine: SliceMachine): Promise<void> {
  const [filaments, processes] = await Promise.all([
    client.ensureQueryData(filamentsQuery(machine.id)),
    client.ensureQueryData(processesQuery(machine.id)),
  ])
  const load = (presets: readonly SlicePreset[]) => Promise.all(presets.map((one) => withConfig(client, one)))
  const [own, ways, printer] = await Promise.all([
    load(someOf(filaments, machine.default_filament, MOST_FILAMENTS)),
    load(someOf(processes, machine.default_print_process, MOST_PROCESSES)),
    printerOf(client, machine),
  ])
  const { printers, filaments: all } = bench.state()
  bench.set({
    printers: [...printers.filter(({ name }) => name !== machine.name), printer],
    filaments: [...all.filter(({ of }) => of === null), ...own],
    processes: ways,
    selected: { printer: machine.name, filament: own[0]?.name ?? '', print: ways[0]?.name ?? '' },
    overrides: { printer: {}, filament: {}, print: {} },
    fileId: null,
  })
}

/** What the person has sliced with last, else a usual one; false where this server has no profiles. */
export async function installFirst(bench: Bench, client: QueryClient): Promise<boolean> {
  const [brands, settings] = await Promise.all([
    client.fetchQuery(machinesQuery),
    client.fetchQuery(settingsQuery),
  ])
  const machines = brands.flatMap((brand) => brand.machine_models.flatMap((model) => model.machines))
  const first = settings.machine ?? machines.find(({ name }) => USUAL.test(name)) ?? machines[0]
  if (first) await install(bench, client, first)
  return first !== undefined
}
