import { screen, waitFor, within } from '@testing-library/react'
import { listMacros, type Macro, runMacro } from '@vigil/contract/printers/macros.ts'
import { expect, test } from 'vitest'
import { answers, aServer, refuses } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import { aPrinter, status } from '../../../printer/a-printer.fixture.ts'
import { groupsOf } from './groups.ts'
import { MacrosWidget } from './MacrosWidget.tsx'

const macro = (name: string, params: Macro['params'] = [], description: string | null = null): Macro => ({
  name,
  description,
  params,
})
const MACROS = [
  macro('CLEAN_NOZZLE', [], 'Wipes the nozzle'),
  macro('LOAD_FILAMENT', [
    { name: 'LENGTH', default: '80' },
    { name: 'NOTE', default: null },
  ]),
]
const klipper = (more: object = {}) => aPrinter({ agent_name: 'moonraker_obico', ...more })

test('a macro runs at a press, one that asks for something with what was typed and nothing else', async () => {
  const server = aServer(answers(listMacros, MACROS), answers(runMacro, { done: true }))
  const { user } = await show(<MacrosWidget printer={klipper()} transition={null} />)
  await user.click(await screen.findByRole('button', { name: 'CLEAN_NOZZLE' }))
  expect(await screen.findByText('CLEAN_NOZZLE has run.')).toBeInTheDocument()

  await user.click(screen.getByRole('button', { name: 'LOAD_FILAMENT' }))
  const form = screen.getByRole('form', { name: 'LOAD_FILAMENT' })
  expect(within(form).getByLabelText('LENGTH')).toHaveAttribute('placeholder', '80')
  await user.type(within(form).getByLabelText('LENGTH'), '50')
  await user.type(within(form).getByLabelText('NOTE'), 'a"b')
  const run = within(form).getByRole('button', { name: 'Run LOAD_FILAMENT' })
  expect(run).toBeDisabled()
  await user.clear(within(form).getByLabelText('NOTE'))
  await user.click(run)
  await waitFor(() =>
    expect(server.written().map(({ body }) => body)).toEqual([
      { name: 'CLEAN_NOZZLE', params: {} },
      { name: 'LOAD_FILAMENT', params: { LENGTH: '50' } },
    ]),
  )
})

test('while a print runs macros are off and say why; in its pause they run', async () => {
  aServer(answers(listMacros, MACROS))
  await show(<MacrosWidget printer={klipper({ status: status('Printing') })} transition={null} />)
  const off = await screen.findByRole('button', { name: 'CLEAN_NOZZLE' })
  expect(off).toBeDisabled()
  expect(off).toHaveAccessibleDescription('Macros are off while printing. They work in a pause.')
})

test('in the pause of a print a macro is asked about, and runs when it is meant', async () => {
  const server = aServer(answers(listMacros, MACROS), answers(runMacro, { done: false }))
  const { user } = await show(
    <MacrosWidget printer={klipper({ status: status('Paused') })} transition={null} />,
  )
  const button = await screen.findByRole('button', { name: 'CLEAN_NOZZLE' })
  await user.click(button)
  const question = await screen.findByRole('dialog', { name: 'Run CLEAN_NOZZLE in the pause of this print?' })
  await user.click(within(question).getByRole('button', { name: 'Back' }))
  expect(server.written()).toEqual([])
  await user.click(button)
  await user.click(await screen.findByRole('button', { name: 'Run CLEAN_NOZZLE' }))
  expect(await screen.findByText(/CLEAN_NOZZLE runs/)).toBeInTheDocument()
  expect(server.written()).toHaveLength(1)
})

test('a printer that does not answer is asked again, one without macros says so', async () => {
  const server = aServer(
    refuses(listMacros, 409, { detail: 'The printer did not answer.', reason: 'no_answer' }),
  )
  const { user } = await show(<MacrosWidget printer={klipper()} transition={null} />)
  expect(await screen.findByText('The printer did not answer.')).toBeInTheDocument()
  server.now(answers(listMacros, []))
  await user.click(screen.getByRole('button', { name: 'Ask again' }))
  expect(await screen.findByText(/configuration has no macros/)).toBeInTheDocument()
})

test('many are found by what they are called or described as, and stand in groups', async () => {
  const many = [...MACROS, ...'ABCDEFG'.split('').map((letter) => macro(`TEST_${letter}`)), macro('ZERO')]
  aServer(answers(listMacros, many))
  const { user } = await show(<MacrosWidget printer={klipper()} transition={null} />)
  expect(within(await screen.findByRole('group', { name: 'TEST' })).getAllByRole('button')).toHaveLength(7)
  expect(within(screen.getByRole('group', { name: 'Others' })).getAllByRole('button')).toHaveLength(3)
  await user.type(screen.getByRole('searchbox', { name: 'Search macros' }), 'wipes')
  expect(screen.getByRole('button', { name: 'CLEAN_NOZZLE' })).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'ZERO' })).toBeNull()
  await user.type(screen.getByRole('searchbox', { name: 'Search macros' }), 'x')
  expect(screen.getByText('No macro is called like that.')).toBeInTheDocument()
  expect(groupsOf(many, 'test_a').map(({ macros }) => macros.length)).toEqual([1])
})
