import { screen, within } from '@testing-library/react'
import { type ApiKey, createApiKey, listApiKeys } from '@vigil/contract/people/tokens.ts'
import { expect, test } from 'vitest'
import { answers, aServer } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import { KeysPanel } from './KeysPanel.tsx'

const at = new Date().toISOString()
const key: ApiKey = {
  id: 1,
  name: 'Desk',
  hint: 'abcd',
  scope: 'slicer',
  printer: { id: 7, name: 'Ender' },
  printers: null,
  created_at: at,
  last_used_at: at,
  last_address: '203.0.113.7',
  expires_at: null,
}

test('each key says what it may do, where, and from where it was used last', async () => {
  const read: ApiKey = { ...key, id: 2, name: 'Home', scope: 'read', printer: null }
  const gone: ApiKey = { ...read, id: 3, name: 'Old', scope: 'manage', printers: [], last_used_at: null }
  aServer(answers(listApiKeys, [key, read, gone]))
  await show(<KeysPanel />)
  expect(await screen.findByText('Prints on Ender')).toBeVisible()
  const rows = screen.getAllByRole('listitem')
  expect(rows[0]).toHaveTextContent('from 203.0.113.7')
  expect(rows[1]).toHaveTextContent('See · all printers')
  expect(rows[2]).toHaveTextContent('See, print and change · its printers are gone')
})

test('a key for some printers names them, and is made only when there is one', async () => {
  const server = aServer(
    answers(listApiKeys, []),
    answers(createApiKey, { ...key, name: 'Home', scope: 'operate', key: 'vigil_secret' }),
  )
  const { user } = await show(<KeysPanel />)
  await user.type(screen.getByRole('textbox', { name: 'Name of the new key' }), 'Home')
  await user.selectOptions(screen.getByRole('combobox', { name: 'What it may do' }), 'operate')
  await screen.findByText(/Also starts, pauses/)
  await user.selectOptions(screen.getByRole('combobox', { name: 'For' }), 'some')
  const make = screen.getByRole('button', { name: 'Make a key' })
  expect(make).toBeDisabled()
  const which = screen.getByRole('group', { name: 'Which printers' })
  const [first] = within(which).getAllByRole('checkbox')
  await user.click(first!)
  await user.click(make)
  expect(await screen.findByDisplayValue('vigil_secret')).toBeVisible()
  expect(server.written()[0]!.body).toMatchObject({
    name: 'Home',
    scope: 'operate',
    printer_ids: [expect.any(Number)],
    days: null,
  })
})
