import { screen, within } from '@testing-library/react'
import { listOwnMachines } from '@vigil/contract/slice/presets.ts'
import { listMachineModels, type SliceMachine } from '@vigil/contract/slice/slicer.ts'
import { expect, it } from 'vitest'
import { answers, aServer } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import { MachineSheet } from './MachineSheet.tsx'

const machine = (id: number, name: string): SliceMachine => ({
  id,
  name: `${name} (0.4 mm nozzle)`,
  nozzle_diameter: ['0.4'],
  printable_area: ['0x0', '200x0', '200x200', '0x200'],
  printable_height: 250,
  sub_path: `prusa:${name}`,
  default_filament: null,
  default_print_process: null,
})
const model = (id: number, name: string) => ({
  id,
  name,
  cover_img_url: null,
  machines: [machine(id, name)],
})

it('a printer is found by words of its maker and its name, one of one’s own by the name it has here', async () => {
  aServer(
    answers(listMachineModels, [
      { brand: 'Creality', machine_models: [model(1, 'Ender-3'), model(2, 'Ender-5')] },
      { brand: 'Prusa Research', machine_models: [model(3, 'MK4')] },
    ]),
    answers(listOwnMachines, [{ printer: { id: 9, name: 'Cellar' }, machine: machine(3, 'MK4') }]),
  )
  const { user } = await show(<MachineSheet current={null} onConfirm={() => {}} onClose={() => {}} />)
  const search = await screen.findByRole('searchbox', { name: 'Find a printer' })
  expect(await screen.findByRole('list', { name: 'My printers' })).toBeVisible()
  await user.type(search, 'creality 5')
  const found = screen.getByRole('list', { name: 'Printers found' })
  expect(within(found).getByRole('button', { name: /^Ender-5/ })).toBeVisible()
  expect(within(found).getAllByRole('button')).toHaveLength(1)
  expect(screen.queryByRole('button', { name: /^Cellar/ })).not.toBeInTheDocument()
  await user.click(within(found).getByRole('switch', { name: '0.4 mm' }))
  expect(screen.getByRole('button', { name: 'Confirm' })).toBeEnabled()

  await user.clear(search)
  await user.type(search, 'cellar')
  expect(screen.getByRole('button', { name: /^Cellar/ })).toBeVisible()
  expect(screen.queryByText('No printer has such a name.')).not.toBeInTheDocument()
  await user.clear(search)
  await user.type(search, 'nobody')
  expect(screen.getByText('No printer has such a name.')).toBeVisible()
})
