import { screen, waitFor, within } from '@testing-library/react'
import {
  getGCodeFile,
  listGCodeFiles,
  listGCodeFolders,
  type StoredFile,
} from '@vigil/contract/files/gcode-files.ts'
import { expect, test, vi } from 'vitest'
import { answers, aServer } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import FoldersScreen from './FoldersScreen.tsx'

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
