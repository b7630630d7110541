import { screen, waitFor } from '@testing-library/react'
import {
  bringDesign,
  getDesign,
  listDesignComments,
  listDesignFiles,
  listDesignImages,
  listDesigns,
} from '@vigil/contract/slice/designs.ts'
import { beforeEach, expect, it, vi } from 'vitest'
import { aServer, answers, refuses } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import DesignScreen from './DesignScreen.tsx'
import DesignsScreen from './DesignsScreen.tsx'

/** Whatever is looked for is on the screen. */
beforeEach(() => {
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      readonly #tell: (entries: { isIntersecting: boolean }[]) => void
      constructor(tell: (entries: { isIntersecting: boolean }[]) => void) {
        this.#tell = tell
      }
      observe() {
        this.#tell([{ isIntersecting: true }])
      }
      disconnect() {}
    },
  )
})

const hit = (id: number) => ({
  id,
  name: `Design ${id}`,
  preview_image: null,
  creator: { first_name: 'Ada', thumbnail: null },
  like_count: 7,
})
const page = (from: number, count: number, is_old = false) => ({
  provider: 'Thingiverse',
  hits: Array.from({ length: count }, (_, i) => hit(from + i)),
  is_old,
})
const design = {
  ...hit(1),
  collect_count: 2,
  file_count: 3,
  description_html: '<p>Very <b>useful</b>.</p>',
  license: 'CC BY',
  public_url: null,
  is_old: false,
}
const comment = (id: number) => ({ id, body: `Comment ${id}`, user: { name: 'Bob', thumbnail: null } })
const file = (id: number, name: string) => ({
  id,
  name,
  size: 2048,
  thumbnail: null,
  is_mesh: name.endsWith('.stl'),
})
const image = (n: number) => ({ sizes: [{ url: `/picture${n}` }] })
const mesh = {
  id: 9,
  name: 'a',
  num_bytes: 1,
  triangles: 12,
  size: [1, 1, 1] satisfies [number, number, number],
  notes: [],
  family: 9,
  mesh_url: '/ent/api/slicer/models/9/mesh.stl',
  thumbnail_url: 'data:,',
  created_at: '2026-01-01T00:00:00Z',
}
const world = [
  answers(getDesign, design),
  answers(listDesignImages, [image(1), image(2)]),
  answers(listDesignComments, [1, 2, 3, 4, 5].map(comment)),
  answers(listDesignFiles, [file(1, 'hook.stl'), file(2, 'hook.f3d'), file(3, 'plate.stl')]),
]

it('what is popular comes thirty at a time, until fewer come', async () => {
  const server = aServer(
    answers(listDesigns, ({ query }) => (query['page'] === '1' ? page(1, 30) : page(31, 4))),
  )
  await show(<DesignsScreen />)
  expect(await screen.findByRole('heading', { name: 'Popular 3D Models: Last 30 Days' })).toBeVisible()
  expect(await screen.findByRole('link', { name: 'Design 34' })).toBeVisible()
  const pages = server.asked
    .filter(({ path }) => path.endsWith('/designs/'))
    .map(({ query }) => query['page'])
  expect(pages).toEqual(['1', '2'])
})

it('words are searched for when they are others than before, and not when there are none', async () => {
  const server = aServer(answers(listDesigns, ({ query }) => page(query['keyword'] === 'hook' ? 50 : 1, 1)))
  const { user, router } = await show(<DesignsScreen />)
  const field = await screen.findByRole('searchbox', { name: 'Search models' })
  await user.type(field, '  {Enter}')
  expect(router.state.location.pathname).toBe('/')
  await user.clear(field)
  await user.type(field, 'hook{Enter}')
  expect(await screen.findByRole('heading', { name: 'Relevant Models' })).toBeVisible()
  expect(await screen.findByRole('link', { name: 'Design 50' })).toBeVisible()
  expect(server.asked.at(-1)?.query).toMatchObject({ keyword: 'hook', page: '1' })
})

it('what the catalogue said before is shown, and said so; what went wrong is said with a way back', async () => {
  const server = aServer(answers(listDesigns, page(1, 1, true)))
  await show(<DesignsScreen />)
  expect(await screen.findByText(/does not answer now/)).toBeVisible()
  server.now(refuses(listDesigns, 503, { detail: 'The catalogue took too long to answer.' }))
  await show(<DesignsScreen />, { at: '/?keyword=other' })
  expect(await screen.findByText('The catalogue took too long to answer.')).toBeVisible()
  expect(screen.getByRole('button', { name: /Try again/ })).toBeEnabled()
})

it('a design shows its pictures in turn, three comments first, and its license', async () => {
  aServer(...world)
  const { user } = await show(<DesignScreen />)
  expect(await screen.findByRole('img', { name: 'Picture 1 of 2' })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Picture before' }))
  expect(screen.getByRole('img', { name: 'Picture 2 of 2' })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Next picture' }))
  expect(screen.getByRole('img', { name: 'Picture 1 of 2' })).toBeVisible()
  expect(await screen.findByText('Comment 3')).toBeVisible()
  expect(screen.queryByText('Comment 4')).not.toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: '2 more' }))
  expect(screen.getByText('Comment 5')).toBeVisible()
  expect(screen.getByText('useful')).toBeVisible()
  expect(screen.getByText('CC BY')).toBeInTheDocument()
})

it('files are chosen, STL alone, and go to the slicer', async () => {
  const server = aServer(...world, answers(bringDesign, [mesh, { ...mesh, id: 10, mesh_url: '/m/10' }]))
  const { user, router } = await show(<DesignScreen />)
  await user.click(await screen.findByRole('button', { name: 'Slice' }))
  expect(await screen.findByRole('checkbox', { name: 'hook.f3d' })).toBeDisabled()
  expect(screen.getByText(/kB · File types other than STL coming soon$/)).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Slice (0)' }))
  expect(await screen.findByText('Please select at least one mesh!')).toBeVisible()
  await user.click(screen.getByRole('checkbox', { name: 'Select all' }))
  await user.click(screen.getByRole('button', { name: 'Slice (2)' }))
  await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/ent\/slice_settings/))
  expect(server.written().at(-1)?.body).toEqual({ file_ids: [1, 3] })
  expect(router.state.location.search).toMatchObject({
    '3d_mesh_url': '/ent/api/slicer/models/9/mesh.stl,/m/10',
    total_size: '4096',
    target_gcode_name: 'Design 1.gcode',
  })
})
