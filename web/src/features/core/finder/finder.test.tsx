import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { listGCodeFiles } from '@vigil/contract/files/gcode-files.ts'
import { listPrints } from '@vigil/contract/prints/prints.ts'
import { expect, test } from 'vitest'
import { answers, aServer, isAway } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import { Finder, openFinder } from './Finder.tsx'
import { matching } from './useFinds.ts'

const file = (id: number, filename: string) => ({ id, filename })
const files = (...results: object[]) =>
  answers(listGCodeFiles, { count: results.length, next: null, previous: null, results } as never)
const prints = (...found: object[]) => answers(listPrints, found as never)

const open = async () => {
  fireEvent.keyDown(document, { key: 'k', ctrlKey: true })
  return await screen.findByRole('dialog', { name: 'Search' })
}
const options = () => screen.getAllByRole('option').map(({ textContent }) => textContent)

test('Ctrl and K opens it: printers first, then pages; arrows choose, Enter goes there', async () => {
  aServer(files(), prints())
  const { user, router } = await show(<Finder />)
  const dialog = await open()
  const printers = await within(dialog).findByRole('group', { name: 'Printers' })
  expect(within(printers).getAllByRole('option').length).toBeGreaterThan(1)
  const second = options()[1] ?? ''
  await user.keyboard('{ArrowDown}{Enter}')
  await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/printers\/\d+\/control$/))
  expect(screen.queryByRole('dialog')).toBeNull()
  await open()
  await user.keyboard(second.toLowerCase())
  await waitFor(() => expect(options()[0]).toBe(second))
})

test('what is typed is looked for in files and prints, too, each with its place', async () => {
  const server = aServer(
    files(file(7, 'vase_spiral.gcode')),
    prints({ id: 9, filename: 'vase.gcode', started_at: null, printer: { name: 'Ender' } }),
  )
  const { user, router } = await show(<Finder />)
  act(openFinder)
  await user.click(await screen.findByRole('combobox'))
  await user.paste('vase')
  expect(await screen.findByRole('option', { name: /^vase\.gcode ?Ender$/ })).toBeInTheDocument()
  const asked = server.asked.filter(({ query }) => query['q'] !== undefined)
  expect(new Set(asked.map(({ query }) => query['q']))).toEqual(new Set(['vase']))
  await user.click(screen.getByRole('option', { name: 'vase_spiral.gcode' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/g_code_files/cloud/7'))
})

test('a printer’s settings are found by both names, and the preferences by theirs', async () => {
  aServer(files(), prints())
  const { user } = await show(<Finder />)
  await open()
  const name = options()[0] ?? ''
  await user.keyboard(`${name.toLowerCase()} settings`)
  await waitFor(() => expect(options()).toEqual([`${name}Settings`]))
  await user.clear(screen.getByRole('combobox'))
  await user.keyboard('quiet')
  await waitFor(() => expect(options()).toEqual(['Quiet hours & summaries']))
  await user.clear(screen.getByRole('combobox'))
  await user.keyboard('household')
  await waitFor(() => expect(options()).toEqual(['Household']))
})

test('nothing found, and what could not be searched, are said', async () => {
  const server = aServer(files(), prints())
  const { user } = await show(<Finder />)
  await open()
  await user.keyboard('xyzzy')
  expect(await screen.findByText('Nothing is called like that.')).toBeInTheDocument()
  server.now(isAway(listPrints))
  await user.keyboard('2')
  expect(await screen.findByText('Files and prints could not be searched.')).toBeInTheDocument()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('what begins with the words stands before what has them', () => {
  const finds = ['Old Prusa', 'Prusa', 'Prusa two', 'Voron'].map((label) => ({ to: label, label }))
  expect(matching(finds, 'prusa', 2).map(({ label }) => label)).toEqual(['Prusa', 'Prusa two'])
  expect(matching(finds, 'two pru', 9).map(({ label }) => label)).toEqual(['Prusa two'])
  expect(matching(finds, '', 9)).toHaveLength(4)
})
