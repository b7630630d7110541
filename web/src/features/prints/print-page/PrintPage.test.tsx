import { act, screen, waitFor, within } from '@testing-library/react'
import { getPrint, type Print, updatePrint } from '@vigil/contract/prints/prints.ts'
import {
  getPredictionJson,
  getTimelapse,
  listPrintFrames,
  type PrintFrames,
  type Timelapse,
} from '@vigil/contract/prints/timelapse.ts'
import { expect, test } from 'vitest'
import { print } from '../../../../dev/stub.ts'
import { answers, aServer, refuses } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import PrintScreen from './PrintScreen.tsx'

const AT = '2026-11-20T10:00:00Z'
const OVER: Print = {
  ...print(7, 'vase.gcode'),
  started_at: '2026-11-20T09:00:00Z',
  ended_at: AT,
  finished_at: AT,
  print_time: 3600,
  prediction_json_url: '',
  printshotfeedback_set: [],
  firstlayerinspection_set: [],
  watched: { seconds: 3600, of: 3600, unseen: [] },
  score_curve: null,
}
const LAPSE: Timelapse = {
  state: 'failed',
  progress: 0,
  frames: 0,
  pictures_per_second: 8,
  num_bytes: 0,
  frames_until: null,
  videos_until: null,
  kept: false,
  unseen: [],
  issues: 0,
  refusal: null,
}

const NO_FRAMES: PrintFrames = {
  pictures_per_second: 8,
  turn: { flip_h: false, flip_v: false, rotation: 0 },
  frames: [],
}

/** The page of a print that ended so, and of what is kept of it. */
async function page(more: Partial<Print>, ...kept: Parameters<typeof aServer>) {
  let shown: Print = { ...OVER, ...more }
  const server = aServer(
    ...kept,
    answers(getPrint, () => shown),
    answers(updatePrint, ({ body }) => (shown = { ...shown, ...(body as Partial<Print>) })),
    answers(getTimelapse, LAPSE),
    answers(getPredictionJson, []),
    answers(listPrintFrames, NO_FRAMES),
  )
  const here = await show(<PrintScreen />, { at: '/prints/7', form: '/prints/$id' })
  return { ...here, server }
}

test('an alert is answered once, and what was answered can be said otherwise', async () => {
  const { user, server } = await page({ alerted_at: AT })
  const alert = await screen.findByRole('alert')
  expect(alert).toHaveTextContent('This print may have failed.')
  await user.click(screen.getByRole('button', { name: 'Not a failure?' }))
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  await user.click(screen.getByRole('button', { name: 'Yes, it failed' }))
  await waitFor(() =>
    expect(server.written().map(({ body }) => body)).toEqual([
      { alert_overwrite: 'NOT_FAILED' },
      { alert_overwrite: 'FAILED' },
    ]),
  )
})

test('without a video the pictures themselves are played', async () => {
  const frames = [1, 2, 3].map((n) => ({
    at: AT,
    image_url: `/media/${n}.jpg`,
    tagged_url: null,
    p: null,
    normalized_p: null,
    decision: null,
  }))
  const { user } = await page({}, answers(listPrintFrames, { ...NO_FRAMES, frames }))
  await screen.findByText('There is no video of this print. Its pictures are played instead.')
  const axis = screen.getByRole('slider')
  act(() => axis.focus())
  await user.keyboard('{Home}')
  expect(screen.getByRole('img', { name: /vase\.gcode/ })).toHaveAttribute('src', '/media/1.jpg')
  expect(axis).toHaveAttribute('aria-valuenow', '1')
  await user.keyboard('{End}')
  expect(axis).toHaveAttribute('aria-valuenow', '3')
})

test('a video that is gone says why', async () => {
  const { user } = await page({ video_archived_at: AT })
  await screen.findByRole('heading', { name: 'Video file is deleted.' })
  await user.click(screen.getByRole('button', { name: 'Why?' }))
  const why = await screen.findByRole('dialog', { name: 'Why is the video deleted?' })
  within(why).getByText(/^Time-lapse videos older than 6 months are deleted\./)
})

test('a print that is not there says so', async () => {
  await page({}, refuses(getPrint, 404))
  await screen.findByRole('heading', { name: 'This print is not there' })
})
