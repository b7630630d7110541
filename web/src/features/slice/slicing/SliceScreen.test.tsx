import { screen, waitFor, within } from '@testing-library/react'
import { bootstrap } from '@vigil/contract/people/accounts.ts'
import {
  getSliceJob,
  getSlicePreset,
  getSlicerEngine,
  getSliceSettings,
  installSlicerEngine,
  listMachineModels,
  listSliceJobs,
  saveSliceSettings,
  type SlicerEngine,
  sliceMeshes,
} from '@vigil/contract/slice/slicer.ts'
import { deleteMeshModel, listMeshModels, uploadMeshModel } from '@vigil/contract/slice/models.ts'
import { listOwnMachines, listSavedPresets, savePreset } from '@vigil/contract/slice/presets.ts'
import { expect, it } from 'vitest'
import { answer } from '../../../../dev/stub.ts'
import { aServer, answers, refuses } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import SliceScreen from './SliceScreen.tsx'

const preset = (id: number, name: string) => ({
  id,
  name,
  slicer_profile_url: `/ent/api/slicer/profiles/${id}/`,
  sub_path: `prusa:A/${name}`,
})
const machine = {
  id: 7,
  name: 'Ender (0.4 mm nozzle)',
  nozzle_diameter: ['0.4'],
  printable_area: ['0x0', '200x0', '200x200', '0x200'],
  printable_height: 250,
  sub_path: 'prusa:A/printer/Ender',
  default_filament: preset(8, 'PLA'),
  default_print_process: preset(9, '0.20 mm'),
}
const brands = [
  { brand: 'A', machine_models: [{ id: 1, name: 'Ender', cover_img_url: null, machines: [machine] }] },
]
const model = {
  id: 3,
  name: 'Hook',
  num_bytes: 684,
  triangles: 12,
  size: [10, 20, 30] satisfies [number, number, number],
  notes: [],
  mesh_url: '/ent/api/slicer/models/3/mesh.stl',
  family: 3,
  thumbnail_url: 'data:,',
  created_at: '2026-01-01T00:00:00Z',
}
const chosen = { machine, filament: machine.default_filament, print_process: machine.default_print_process }
const nothing = { machine: null, filament: null, print_process: null }
const at: [number, number, number] = [1, 1, 1]
const job = {
  job_id: '5',
  status: 'running' as const,
  progress: 0.4,
  position: 0,
  seconds_left: 75,
  target_gcode_name: 'Hook.gcode',
  gcode_file_id: null,
  error: null,
  notes: [],
  params: {
    meshes: [{ url: model.mesh_url, translate: at, rotate: at, scale: at }],
    slicer_profiles: { machine_sub_path: 'a', filament_sub_path: 'b', print_process_sub_path: 'c' },
    profile_overwrites: {},
    target_gcode_name: 'Hook.gcode',
  },
  created_at: '2026-01-01T00:00:00Z',
}
const absent = { name: null, reads_step: false, installation: null, failed: null }
const world = (settings: typeof chosen | typeof nothing) => [
  answers(getSlicerEngine, { ...absent, name: 'PrusaSlicer 2.5.0' }),
  answers(listMeshModels, [model]),
  answers(listMachineModels, brands),
  answers(getSliceSettings, settings),
  answers(saveSliceSettings, chosen),
  answers(listSavedPresets, []),
  answers(listOwnMachines, []),
  answers(listSliceJobs, []),
  answers(getSlicePreset, ({ path }): Record<string, string | string[]> =>
    path.includes('/8/') ? { nozzle_temperature: ['210'] } : { layer_height: '0.2', enable_support: '0' },
  ),
]

it('without a slicer it says what an administrator can do; there is no button for others', async () => {
  aServer(answers(getSlicerEngine, absent))
  await show(<SliceScreen />)
  expect(await screen.findByText(/no slicer on this server/i)).toBeVisible()
  expect(screen.getByText(/administrator of this server can bring PrusaSlicer/)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Install PrusaSlicer' })).not.toBeInTheDocument()
})

it('an administrator has it installed, sees how far that is, and why it failed', async () => {
  const running = { ...absent, installation: { step: 'download' as const, share: 0.42 } }
  let now: SlicerEngine = absent
  const scene: Parameters<typeof answer>[0] = { signedIn: true, admin: true, language: 'en', printers: [] }
  aServer(
    answers(bootstrap, ({ path }) => answer(scene, 'GET', path)?.body as never),
    answers(getSlicerEngine, () => now),
    answers(installSlicerEngine, () => (now = running)),
  )
  const { user } = await show(<SliceScreen />)
  await user.click(await screen.findByRole('button', { name: 'Install PrusaSlicer' }))
  expect(await screen.findByRole('progressbar', { name: 'PrusaSlicer is being installed' })).toHaveAttribute(
    'aria-valuenow',
    '42',
  )
  now = { ...absent, failed: 'PrusaSlicer could not be fetched: no network' }
  expect(await screen.findByText('PrusaSlicer could not be fetched: no network')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Try again' })).toBeEnabled()
})

it('one step opens the next: printer, filament, process; the choice is kept', async () => {
  const server = aServer(...world(nothing))
  const { user } = await show(<SliceScreen />)
  // Where nothing was ever chosen the printers open by themselves.
  expect(await screen.findByRole('button', { name: 'Confirm' })).toBeDisabled()
  await user.click(await screen.findByRole('button', { name: 'Ender' }))
  await user.click(screen.getByRole('switch', { name: '0.4 mm' }))
  await user.click(screen.getByRole('button', { name: 'Confirm' }))
  await user.click(await screen.findByRole('button', { name: /^Print profile Ender.* · PLA · 0\.20 mm/ }))
  expect(await screen.findByRole('button', { name: /Filament PLA/ })).toBeEnabled()
  await waitFor(() =>
    expect(
      server.asked.find(({ method, path }) => method === 'POST' && path.includes('default'))?.body,
    ).toEqual({
      machine_id: 7,
      filament_id: 8,
      print_process_id: 9,
    }),
  )
})

it('a printer that names no filament has the settings opened a moment later, where the rows open one another', async () => {
  const bare = { ...machine, default_filament: null, default_print_process: null }
  const models = [{ ...brands[0]!.machine_models[0]!, machines: [bare] }]
  aServer(answers(listMachineModels, [{ brand: 'A', machine_models: models }]), ...world(nothing))
  const { user } = await show(<SliceScreen />)
  await user.click(await screen.findByRole('button', { name: 'Ender' }))
  await user.click(screen.getByRole('switch', { name: '0.4 mm' }))
  await user.click(screen.getByRole('button', { name: 'Confirm' }))
  const sheet = await screen.findByRole('dialog', { name: 'Slicing Settings' })
  expect(within(sheet).getByRole('button', { name: /Please Select a Filament/ })).toBeEnabled()
  expect(within(sheet).getByRole('button', { name: /Please Select Printer & Filament/ })).toBeDisabled()
})

it('a pattern is picked in a sheet of its own, which closes; what is changed is counted', async () => {
  aServer(...world(chosen))
  const { user } = await show(<SliceScreen />)
  await user.click(await screen.findByRole('button', { name: /^Print profile/ }))
  await user.click(await screen.findByRole('radio', { name: 'Strength' }))
  await user.click(screen.getByRole('button', { name: /^Sparse infill pattern/ }))
  const patterns = within(await screen.findByRole('dialog', { name: 'Sparse infill pattern' }))
  await user.click(patterns.getByRole('button', { name: 'Gyroid' }))
  expect(await screen.findByRole('button', { name: 'Sparse infill pattern (changed) Gyroid' })).toBeVisible()
  expect(screen.getByRole('radio', { name: 'Strength' })).toBeChecked()
  await user.keyboard('{Escape}')
  expect(await screen.findByRole('button', { name: /^Print profile.*1 change/ })).toBeVisible()
})

it('scaled in one, all sides have the ratio of the one that was typed; reset closes the sheet', async () => {
  aServer(...world(chosen))
  const { user } = await show(<SliceScreen />)
  await user.click(await screen.findByRole('button', { name: /^Hook/ }))
  await user.click(screen.getByRole('button', { name: 'Scale' }))
  const sheet = () => within(screen.getByRole('group', { name: 'Scale' }))
  const type = async (axis: string, text: string) => {
    await user.clear(sheet().getByLabelText(axis))
    await user.type(sheet().getByLabelText(axis), text)
  }
  await type('X-axis', '20')
  const shown = () =>
    ['X-axis', 'Y-axis', 'Z-axis'].map((axis) => sheet().getByLabelText<HTMLInputElement>(axis).value)
  expect(shown()).toEqual(['20 mm', '40 mm', '60 mm'])
  await user.click(sheet().getByRole('switch', { name: 'Uniform' }))
  await type('Y-axis', '10')
  expect(shown()).toEqual(['20 mm', '10 mm', '60 mm'])
  await user.click(sheet().getByRole('radio', { name: '%' }))
  expect(shown()).toEqual(['200 %', '50 %', '200 %'])
  await user.click(screen.getByRole('button', { name: 'Reset' }))
  expect(screen.queryByRole('group', { name: 'Scale' })).not.toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Scale' }))
  expect(shown()).toEqual(['10 mm', '20 mm', '30 mm'])
})

it('a model is put onto the plate, sliced, and what is refused is said', async () => {
  aServer(
    ...world(chosen),
    answers(sliceMeshes, { job_id: '5' }),
    answers(getSliceJob, { ...job, status: 'failed', error: '“Hook” is higher than the printer reaches.' }),
  )
  const { user } = await show(<SliceScreen />)
  const slice = await screen.findByRole('button', { name: 'Slice' })
  expect(slice).toBeDisabled()
  await user.click(await screen.findByRole('button', { name: /^Hook/ }))
  expect(screen.getByLabelText('Name of the file')).toHaveValue('Hook.gcode')
  await waitFor(() => expect(slice).toBeEnabled())
  await user.click(slice)
  expect(await screen.findByText('“Hook” is higher than the printer reaches.')).toBeVisible()
  expect(screen.getByText('Sorry, We had some hiccups while slicing your Model.')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Contact support' })).toHaveAttribute(
    'href',
    'mailto:help@vigil.example',
  )
})

it('several models that are brought at once stand beside each other; the first names the file', async () => {
  const coming = [model, { ...model, id: 4, name: 'Pin', mesh_url: '/ent/api/slicer/models/4/mesh.stl' }]
  aServer(
    answers(uploadMeshModel, () => coming.shift()!),
    ...world(chosen),
  )
  const { user } = await show(<SliceScreen />)
  await screen.findByRole('button', { name: /^Print profile Ender/ })
  const field = document.querySelector<HTMLInputElement>('input[multiple][accept*=".stl"]')!
  await user.upload(
    field,
    ['hook.stl', 'pin.stl'].map((name) => new File(['solid'], name)),
  )
  const plate = within(screen.getByRole('list', { name: 'On the plate' }))
  await user.click(await plate.findByRole('button', { name: /^Pin/ }))
  const place = () => within(screen.getByRole('group', { name: 'Translate' })).getByLabelText(/X/)
  expect(place()).toHaveValue('120 mm')
  await user.click(plate.getByRole('button', { name: /^Hook/ }))
  expect(place()).toHaveValue('100 mm')
  expect(screen.getByLabelText('Name of the file')).toHaveValue('Hook.gcode')
})

it('a call that is refused leaves the plate as it is', async () => {
  aServer(...world(chosen), refuses(sliceMeshes, 503, { detail: 'There is no slicer on this server.' }))
  const { user } = await show(<SliceScreen />)
  await user.click(await screen.findByRole('button', { name: /^Hook/ }))
  await waitFor(() => expect(screen.getByRole('button', { name: 'Slice' })).toBeEnabled())
  await user.click(screen.getByRole('button', { name: 'Slice' }))
  expect(await screen.findByText('There is no slicer on this server.')).toBeVisible()
  expect(screen.getByLabelText('Name of the file')).toHaveValue('Hook.gcode')
})

const saved = {
  id: 1,
  name: 'Strong',
  is_own: true,
  is_shared: false,
  machine,
  filament: machine.default_filament,
  print_process: machine.default_print_process,
  slicer_profiles: {
    machine_sub_path: machine.sub_path,
    filament_sub_path: machine.default_filament.sub_path,
    print_process_sub_path: machine.default_print_process.sub_path,
  },
  profile_overwrites: { layer_height: '0.1' },
  unsupported: [{ key: 'support_type', value: 'tree(auto)', used: 'snug' }],
}

it('a preset is applied by a click, and what is chosen is saved as another', async () => {
  const server = aServer(
    answers(listSavedPresets, [saved, { ...saved, id: 2, name: 'Old', machine: null, is_own: false }]),
    answers(savePreset, saved),
    ...world(chosen),
  )
  const { user } = await show(<SliceScreen />)
  expect(await screen.findByRole('button', { name: /^Old.*not on this server/ })).toBeDisabled()
  expect(screen.queryByRole('button', { name: 'Delete Old' })).not.toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: /^Strong.*1 setting is taken otherwise/ }))
  await user.click(screen.getByRole('button', { name: /^Print profile.*1 change/ }))
  expect(await screen.findByLabelText('Layer height (changed)')).toHaveValue('0.1 mm')
  await user.keyboard('{Escape}')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.type(dialog.getByLabelText('Name of the preset'), 'Fine')
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(server.written().find(({ path }) => path.endsWith('/presets/'))?.body).toEqual({
      name: 'Fine',
      slicer_profiles: saved.slicer_profiles,
      profile_overwrites: { layer_height: '0.1' },
      is_shared: false,
    }),
  )
})

it('a preset of the same printer leaves what is on the plate where it stands', async () => {
  aServer(answers(listSavedPresets, [saved]), ...world(chosen))
  const { user } = await show(<SliceScreen />)
  await user.click(await screen.findByRole('button', { name: /^Hook/ }))
  const place = () => within(screen.getByRole('group', { name: 'Translate' })).getByLabelText(/X/)
  await user.clear(place())
  await user.type(place(), '42')
  await user.click(await screen.findByRole('button', { name: /^Strong/ }))
  expect(await screen.findByRole('button', { name: /^Print profile.*1 change/ })).toBeVisible()
  expect(place()).toHaveValue('42 mm')
})

it('a preset comes from a file; what is none is said', async () => {
  const server = aServer(answers(savePreset, saved), ...world(chosen))
  const { user } = await show(<SliceScreen />)
  await screen.findByText('My presets')
  const field = document.querySelector<HTMLInputElement>('input[accept*="json"]')!
  await user.upload(field, new File(['{"format":"other"}'], 'other.json', { type: 'application/json' }))
  expect(await screen.findByText('other.json is no preset of Vigil.')).toBeVisible()
  const { name, slicer_profiles, profile_overwrites } = saved
  const text = JSON.stringify({ format: 'vigil-slice-preset', name, slicer_profiles, profile_overwrites })
  await user.upload(field, new File([text], 'strong.json', { type: 'application/json' }))
  expect(await screen.findByText('“Strong” is imported')).toBeVisible()
  expect(server.written().find(({ path }) => path.endsWith('/presets/'))?.body).toMatchObject({
    name,
    slicer_profiles,
    profile_overwrites,
  })
})

it('printers of one’s own stand first among the machines', async () => {
  aServer(answers(listOwnMachines, [{ printer: { id: 4, name: 'Garage' }, machine }]), ...world(nothing))
  const { user } = await show(<SliceScreen />)
  await user.click(await screen.findByRole('button', { name: /^Garage/ }))
  await user.click(screen.getByRole('button', { name: 'Confirm' }))
  expect(await screen.findByRole('button', { name: /^Print profile Ender/ })).toBeVisible()
})

it('what was sliced before is sliced again as it was, by one click; versions stand behind the newest', async () => {
  const done = { ...job, status: 'done' as const, progress: 1, gcode_file_id: 4 }
  const newer = { ...model, id: 8, mesh_url: '/ent/api/slicer/models/8/mesh.stl' }
  const server = aServer(
    answers(listMeshModels, [newer, model]),
    answers(listSliceJobs, [done]),
    answers(sliceMeshes, { job_id: '5' }),
    answers(getSliceJob, job),
    ...world(chosen),
  )
  const { user } = await show(<SliceScreen />)
  expect(await screen.findByRole('button', { name: /^Hook.*version 2/ })).toBeVisible()
  expect(screen.queryByRole('button', { name: /^Hook.*version 1/ })).not.toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Versions of Hook' }))
  expect(screen.getByRole('button', { name: /^Hook.*version 1/ })).toBeVisible()
  await user.click(await screen.findByRole('button', { name: 'Slice Hook again, as before' }))
  expect(await screen.findByText('Your model is being sliced.')).toBeVisible()
  expect(screen.getByText(/^About 1.*left\.$/)).toBeVisible()
  expect(server.written().some(({ path }) => path.endsWith('/slice_settings/'))).toBe(true)
})

it('a model is taken out when its owner says so twice', async () => {
  const server = aServer(answers(deleteMeshModel, null), ...world(chosen))
  const { user } = await show(<SliceScreen />)
  await user.click(await screen.findByRole('button', { name: 'Delete Hook' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete Hook' }))
  expect(server.written()).toEqual([])
  await user.click(dialog.getByRole('button', { name: 'Delete' }))
  await waitFor(() =>
    expect(server.written()).toMatchObject([{ method: 'DELETE', path: '/ent/api/slicer/models/3/' }]),
  )
})
