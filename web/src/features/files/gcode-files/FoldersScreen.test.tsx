import { cleanup, screen, waitFor, within } from '@testing-library/react'
import {
  bulkDeleteGCodeFiles,
  bulkDeleteGCodeFolders,
  bulkMoveGCodeFiles,
  createGCodeFolder,
  getGCodeFile,
  type GCodeFolder,
  listGCodeFiles,
  listGCodeFolders,
  patchGCodeFile,
  type StoredFile,
} from '@vigil/contract/files/gcode-files.ts'
import { expect, test, vi } from 'vitest'
import { answers, aServer, refuses } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import { client } from '../../../app/client.ts'
import FileScreen from './FileScreen.tsx'
import FoldersScreen from './FoldersScreen.tsx'
import { itemOf } from './items.ts'
import { MoveDialog } from './MoveDialog.tsx'
import { RenameDialog } from './NameDialogs.tsx'

const AT = '2026-11-20T10:00:00Z'
const FILE: StoredFile = {
  id: 5,
  user: 1,
  resident_printer: null,
  deleted: null,
  deleted_by_cascade: false,
  filename: 'vase.gcode',
  safe_filename: 'vase.gcode',
  parent_folder: null,
  url: null,
  num_bytes: 1200,
  agent_signature: null,
  metadata_json: null,
  filament_total: null,
  estimated_time: 3600,
  thumbnail1_url: null,
  thumbnail2_url: null,
  thumbnail3_url: null,
  created_at: AT,
  updated_at: AT,
  print_set: [],
}

test('where there is room a file stands beside its list, by its address, until it is closed', async () => {
  vi.stubGlobal('matchMedia', (query: string) =>
    Object.assign(new EventTarget(), { matches: query.includes('min-width'), media: query }),
  )
  aServer(
    answers(listGCodeFolders, { count: 0, next: null, previous: null, results: [] }),
    answers(listGCodeFiles, { count: 1, next: null, previous: null, results: [FILE] }),
    answers(getGCodeFile, FILE),
  )
  const { user, router } = await show(<FoldersScreen />, { at: '/g_code_folders/cloud/' })
  await user.click(await screen.findByRole('link', { name: 'vase.gcode' }))
  const sheet = await screen.findByRole('complementary', { name: 'vase.gcode' })
  expect(within(sheet).getByText('Not printed yet')).toBeInTheDocument()
  expect(within(sheet).getByRole('link', { name: 'vase.gcode' })).toHaveAttribute(
    'href',
    '/g_code_files/cloud/5',
  )
  expect(router.state.location.search).toMatchObject({ file: '5' })
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull())
})

const BOWLS: GCodeFolder = {
  id: 3,
  name: 'Bowls',
  safe_name: 'Bowls',
  parent_folder: null,
  g_code_folder_count: 0,
  g_code_file_count: 2,
  created_at: AT,
  updated_at: AT,
}
const pageOf = <T,>(results: T[]) => ({ count: results.length, next: null, previous: null, results })
const lists = [answers(listGCodeFolders, pageOf([BOWLS])), answers(listGCodeFiles, pageOf([FILE]))]
const opened = () => show(<FoldersScreen />, { at: '/g_code_folders/cloud' })
const dialog = (name?: string) => screen.findByRole('dialog', name === undefined ? {} : { name })
const closed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

test('a new folder wants a name that nobody has', async () => {
  const server = aServer(...lists, refuses(createGCodeFolder, 400, { name: ['Taken.'] }))
  const { user } = await opened()
  await user.click(await screen.findByRole('button', { name: 'New folder' }))
  const asked = within(await dialog())
  expect(asked.getByRole('button', { name: 'Create' })).toBeDisabled()
  await user.type(asked.getByRole('textbox'), 'Bowls')
  await user.click(asked.getByRole('button', { name: 'Create' }))
  await asked.findByText('Folder with this name already exists')
  server.now(answers(createGCodeFolder, { ...BOWLS, parent_folder: null, name: 'Vases' }))
  await user.clear(asked.getByRole('textbox'))
  await user.type(asked.getByRole('textbox'), 'Vases')
  await user.click(asked.getByRole('button', { name: 'Create' }))
  await closed()
  expect(server.written().map(({ body }) => body)).toEqual(
    ['Bowls', 'Vases'].map((name) => ({ name, parent_folder: null })),
  )
})

test('a file is renamed and keeps its extension', async () => {
  const close = vi.fn()
  const server = aServer(answers(patchGCodeFile, { ...FILE, parent_folder: null }))
  const { user } = await show(<RenameDialog item={itemOf(FILE)} onClose={close} />)
  const name = await screen.findByRole('textbox')
  expect(name).toHaveValue('vase')
  await user.clear(name)
  await user.type(name, 'Spiral')
  await user.click(screen.getByRole('button', { name: 'Rename' }))
  await waitFor(() => expect(close).toHaveBeenCalledOnce())
  expect(server.written()[0]).toMatchObject({ body: { filename: 'Spiral.gcode' } })
})

test('a file is moved to another folder than its own; what fails is said', async () => {
  const close = vi.fn()
  const server = aServer(...lists, refuses(bulkMoveGCodeFiles, 500))
  const { user } = await show(<MoveDialog items={[itemOf(FILE)]} from={null} onClose={close} />)
  const place = await screen.findByRole('button', { name: 'Place Here' })
  expect(place).toBeDisabled()
  await user.click(await screen.findByRole('button', { name: 'Bowls' }))
  await user.click(place)
  const told = within(await dialog('Error'))
  told.getByText('Failed to move item(s)')
  await user.click(told.getByRole('button', { name: 'Close' }))
  server.now(answers(bulkMoveGCodeFiles, null))
  await user.click(place)
  await waitFor(() => expect(close).toHaveBeenCalledOnce())
  expect(server.written().at(-1)).toMatchObject({ body: { file_ids: [5], parent_folder: 3 } })
})

test('what is chosen is deleted after a question, and said to be there where that fails', async () => {
  const server = aServer(...lists, refuses(bulkDeleteGCodeFiles, 500), refuses(bulkDeleteGCodeFolders, 500))
  const { user } = await opened()
  const choose = async (name: string) =>
    await user.click(await screen.findByRole('checkbox', { name: `Select ${name}` }))
  const remove = async () => {
    await user.click(screen.getByRole('button', { name: 'Delete' }))
    await user.click(within(await dialog()).getByRole('button', { name: 'Delete' }))
  }
  const fails = async (told: string) => {
    await remove()
    const error = within(await dialog('Error'))
    error.getByText(told)
    await user.click(error.getByRole('button', { name: 'Close' }))
    await closed()
  }
  await choose('vase.gcode')
  await fails('Failed to delete item')
  await choose('Bowls')
  expect(screen.getByRole('region', { name: 'Selected files and folders' })).toHaveTextContent('2 selected')
  await fails('Failed to delete files and folders')
  server.now(answers(bulkDeleteGCodeFiles, null), answers(bulkDeleteGCodeFolders, null))
  await remove()
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Selected files and folders' })).toBeNull())
  expect(
    server
      .written()
      .slice(-2)
      .map(({ body }) => body),
  ).toEqual([{ folder_ids: [3] }, { file_ids: [5] }])
})

test('a file that is gone and one that never was say so', async () => {
  const cloud = { at: '/g_code_files/cloud/5', form: '/g_code_files/cloud/$id' }
  const server = aServer(answers(getGCodeFile, { ...FILE, deleted: AT }))
  await show(<FileScreen />, cloud)
  await screen.findByText('This file is deleted and unavailable for print')
  cleanup()
  client.clear()
  server.now(refuses(getGCodeFile, 404))
  await show(<FileScreen />, cloud)
  await screen.findByText("This G-Code file doesn't exists")
})
