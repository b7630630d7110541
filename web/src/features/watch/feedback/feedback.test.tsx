import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { bootstrap } from '@vigil/contract/people/accounts.ts'
import { getPrint, type Print, updatePrint } from '@vigil/contract/prints/prints.ts'
import { putShot, type ShotAnswer } from '@vigil/contract/watch/feedback.ts'
import {
  type FirstLayerImage,
  type FirstLayerInspection,
  listFirstLayersV1,
  patchFirstLayerImageEnt,
} from '@vigil/contract/watch/first-layer.ts'
import { beforeEach, expect, test } from 'vitest'
import { print } from '../../../../dev/stub.ts'
import { answers, aServer, type Asked, booted, refuses } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import { listenToKeys } from '../../../lib/shortcuts.ts'
import FocusedFeedbackScreen from './FocusedFeedbackScreen.tsx'
import SurveyScreen from './SurveyScreen.tsx'

beforeEach(listenToKeys)

const at = new Date().toISOString()
const idOf = ({ path }: Asked) => Number(path.split('/').at(-2))

/** A print whose owner is asked about so many pictures; the last answer earns two hours, once. */
function asked(count: number) {
  const shot = (id: number) => ({
    id,
    print_id: 5,
    image_url: `/media/${id}.jpg`,
    answer: null,
    answered_at: null,
  })
  let mine: Print = {
    ...print(5, 'vase_spiral.gcode'),
    prediction_json_url: '/media/none.json',
    printshotfeedback_set: Array.from({ length: count }, (_, place) => shot(place + 1)),
    firstlayerinspection_set: [],
    watched: null,
    score_curve: null,
  }
  let hasEarned = false
  return aServer(
    answers(bootstrap, booted({ enterprise: true })),
    answers(getPrint, () => mine),
    answers(updatePrint, ({ body }) => {
      const { access_consented_at } = body as Pick<Print, 'access_consented_at'>
      return (mine = { ...mine, access_consented_at })
    }),
    answers(putShot, (call) => {
      const { answer } = call.body as { answer: ShotAnswer }
      const told = mine.printshotfeedback_set.map((one) =>
        one.id === idOf(call) ? { ...one, answer, answered_at: at } : one,
      )
      mine = { ...mine, printshotfeedback_set: told }
      const earns = !hasEarned && told.every((one) => one.answer !== null)
      hasEarned ||= earns
      return { instance: told.find(({ id }) => id === idOf(call))!, credited_dhs: earns ? 2 : 0 }
    }),
  )
}

const AT = { at: '/prints/shot-feedback/5/', form: '/prints/shot-feedback/$id/' }
const shown = (number: number, count: number) =>
  screen.findByRole('heading', { name: `Picture ${number} of ${count}` })
const button = (name: string) => screen.getByRole('button', { name })

/** Past the consent, at the first picture. */
async function begun(count: number) {
  const server = asked(count)
  const shownPart = await show(<FocusedFeedbackScreen />, AT)
  await shownPart.user.click(
    await screen.findByRole('checkbox', { name: /I grant the Vigil team permission/ }),
  )
  await shownPart.user.click(button('Start'))
  await shown(1, count)
  return { ...shownPart, server }
}

test('nothing is shown before there is consent, which is kept with its moment', async () => {
  const server = asked(4)
  const { user } = await show(<FocusedFeedbackScreen />, AT)
  await screen.findByText(/4 pictures take about 48/)
  expect(button('Start')).toBeDisabled()
  expect(screen.queryByRole('img')).toBeNull()
  await user.click(screen.getByRole('checkbox', { name: /I grant the Vigil team permission to review/ }))
  server.now(refuses(updatePrint, 503))
  await user.click(button('Start'))
  await screen.findByRole('alert')
  server.now(answers(updatePrint, { ...print(5, 'x'), access_consented_at: at } as Print))
  expect(server.written()[0]?.body).toEqual({ access_consented_at: expect.stringMatching(/^20\d\d-/) })
})

test('pictures are answered by button and key, passed over by dot and arrow, and come again; hours are earned once', async () => {
  const { user, server } = await begun(4)
  await user.click(button('It looks bad'))
  await shown(2, 4)
  await user.keyboard('{ArrowRight}')
  await shown(3, 4)
  await user.keyboard('2')
  await shown(4, 4)
  const dots = within(screen.getByRole('group', { name: 'Pictures' })).getAllByRole('button')
  expect(dots.map((one) => one.getAttribute('aria-label'))).toEqual([
    'Picture 1, answered',
    'Picture 2, seen but not answered',
    'Picture 3, answered',
    'Picture 4, seen but not answered',
  ])
  await user.click(button("I can't tell"))
  // The one that was passed over comes again, and after a look at another, too.
  await shown(2, 4)
  await user.click(dots[2]!)
  await shown(3, 4)
  expect(button('It looks OK')).toHaveAttribute('aria-pressed', 'true')
  await user.click(dots[1]!)
  server.now(refuses(putShot, 503))
  await user.click(button('It looks OK'))
  await screen.findByRole('alert')
  expect(await shown(2, 4)).toBeVisible()
})

test('the last answer says what it earned, and answers can be changed without earning anew', async () => {
  const { user, server } = await begun(2)
  await user.keyboard('1')
  await shown(2, 2)
  await user.keyboard('3')
  await screen.findByText(/You have earned 2 non-expirable AI Detection Hours\./)
  expect(screen.getByRole('link', { name: 'See my hours' })).toBeVisible()
  await user.click(button('Change answers'))
  await shown(1, 2)
  expect(button('It looks bad')).toHaveAttribute('aria-pressed', 'true')
  await user.click(button('It looks OK'))
  await screen.findByRole('heading', { name: 'Thank you, every picture is answered' })
  expect(
    server
      .written()
      .map(({ path, body }) => [path, body])
      .slice(1),
  ).toEqual([
    ['/api/v1/printshotfeedbacks/1/', { answer: 'LOOKS_BAD' }],
    ['/api/v1/printshotfeedbacks/2/', { answer: 'UNDECIDED' }],
    ['/api/v1/printshotfeedbacks/1/', { answer: 'LOOKS_OK' }],
  ])
})

test('a finger draws pictures aside; one that goes less far, or up the page, does not', async () => {
  await begun(3)
  const draw = ([fromX, fromY]: [number, number], [toX, toY]: [number, number]) => {
    const picture = screen.getByRole('group', { name: 'How does the print look?' })
    fireEvent.touchStart(picture, { touches: [{ clientX: fromX, clientY: fromY }] })
    fireEvent.touchEnd(picture, { changedTouches: [{ clientX: toX, clientY: toY }] })
  }
  draw([300, 50], [100, 60])
  await shown(2, 3)
  draw([100, 50], [120, 50])
  draw([300, 300], [200, 50])
  expect(await shown(2, 3)).toBeVisible()
  draw([100, 50], [300, 50])
  await shown(1, 3)
})

test('a print that nothing is asked about leads back to it, and one that is not there is said', async () => {
  asked(0)
  const { router } = await show(<FocusedFeedbackScreen />, AT)
  await screen.findByText('There is nothing to answer about this print')
  expect(screen.getByRole('link', { name: 'Go to the print' })).toHaveAttribute('href', '/prints/5')
  await router.navigate({ to: '/prints/shot-feedback/0/' })
  await screen.findByText('There is no such print')
})

/** A first layer with so many pictures to be told about; the last answer earns three hours. */
function judged(count: number) {
  const image = (id: number): FirstLayerImage => ({
    id,
    first_layer_inspection: 8,
    image_url: `/media/${id}.jpg`,
    labels: 'gaps',
    answer: null,
    answered_at: null,
    credited_dhs: 0,
    created_at: at,
    updated_at: at,
  })
  let images = Array.from({ length: count }, (_, place) => image(place + 1))
  const layer = (): FirstLayerInspection => ({
    id: 8,
    print: 5,
    score: 52,
    grade: 'C',
    beta: true,
    video_url: '/media/layer.mp4',
    tagged_video_url: null,
    poster_url: null,
    data_json_url: null,
    created_at: at,
    updated_at: at,
    images,
  })
  return aServer(
    answers(bootstrap, booted({ enterprise: true })),
    answers(listFirstLayersV1, () => [layer()]),
    answers(patchFirstLayerImageEnt, (call) => {
      const { labels } = call.body as { labels: string }
      images = images.map((one) =>
        one.id === idOf(call) ? { ...one, labels, answer: labels, answered_at: at } : one,
      )
      const isLast = images.every(({ answer }) => answer !== null)
      return { ...images.find(({ id }) => id === idOf(call))!, credited_dhs: isLast ? 3 : 0 }
    }),
  )
}

const box = (name: string) => screen.getByRole('checkbox', { name })

test('the survey wants a label for each picture, keeps it with Next, and pays 3 hours at the end', async () => {
  const server = judged(2)
  const { user } = await show(<SurveyScreen />, { at: '/first_layer_inspection_images/?print_id=5' })
  await shown(1, 2)
  expect(button('Previous')).toBeDisabled()
  expect(button('Next')).toBeDisabled()
  await user.click(button('Examples: Bubbling'))
  const examples = await screen.findByRole('dialog', { name: 'Bubbling' })
  expect(within(examples).getByRole('img', { name: 'Bubbling, example 2' })).toBeVisible()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  for (const name of ['Gaps', 'Bubbling', 'No issues']) await user.click(box(name))
  expect(box('Gaps'), 'no issue stands alone').not.toBeChecked()
  await user.click(box('Gaps'))
  expect(box('No issues')).not.toBeChecked()
  await user.click(button('Next'))
  await shown(2, 2)
  await user.click(button('Previous'))
  await shown(1, 2)
  expect(box('Gaps'), 'what was kept').toBeChecked()
  await user.click(button('Next'))
  await shown(2, 2)
  await user.click(box('Detached'))
  await user.click(button('Finish'))
  await screen.findByText(/You have earned 3 AI Detection Hours\./)
  expect(screen.getByText('You can close this page now.')).toBeVisible()
  expect(server.written().map(({ body }) => body)).toEqual([
    { labels: 'gaps' },
    { labels: 'gaps' },
    { labels: 'detached' },
  ])

  await user.click(button('Open the report'))
  const report = await screen.findByRole('dialog', { name: 'First-layer report' })
  expect(report).toHaveTextContent('Fair · 52 of 100')
  expect(report).toHaveTextContent('You said: Gaps')
  await user.click(within(report).getByText('Film'))
  expect(report.querySelector('video')).toHaveAttribute('src', '/media/layer.mp4')
})

test('a survey of no print, or of a first layer without pictures, says so', async () => {
  judged(0)
  const { router } = await show(<SurveyScreen />, { at: '/first_layer_inspection_images/?print_id=5' })
  await screen.findByText("There are no pictures of this print's first layer")
  await router.navigate({ to: '/first_layer_inspection_images/?print_id=x' })
  await screen.findByRole('heading', { name: 'There is no such print' })
})
