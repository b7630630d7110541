import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { aServer } from '../../../../test/server.ts'
import { Bridge } from '../bridge/index.ts'
import type { Chat } from './chat.ts'
import type { Entry } from './entries.ts'
import { preferredView } from './panel.ts'
import { press } from './press.ts'
import { aSlicer } from './slicer.fixture.ts'
import { slice } from './slicing.ts'
import { startChat } from './start.ts'

beforeEach(() => {
  vi.useFakeTimers()
  aServer()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  localStorage.clear()
})

const explain = (text: string) => `Explain ${text}`
const own = ({ entries }: { entries: readonly Entry[] }) =>
  entries.map((entry) => (entry.kind === 'own' ? entry.word : entry.kind))
const labels = (entry: Entry | undefined) => entry?.choices?.map(({ label }) => label)

/** A chat in a slicer that slices. */
async function slicing(over: Record<string, unknown> = {}) {
  const slicer = aSlicer(over)
  const chat = startChat(new Bridge(), false)
  await slice(chat, true)
  return { slicer, chat }
}

it('whoever chose no settings is asked before anything is sliced', async () => {
  const slicer = aSlicer()
  const chat = startChat(new Bridge(), false)
  await slice(chat)
  expect(slicer.of('start_slicer_all')).toEqual([])
  const [asked] = chat.state().entries
  expect(labels(asked)).toEqual(['yes', 'no'])
  if (asked) await press(chat, asked, { do: 'slice' }, explain)
  expect(slicer.of('start_slicer_all')).toEqual([{ action: 'start_slicer_all' }])
  expect(labels(chat.state().entries[0])).toEqual([])
})

it('without a model nothing is sliced, and that is said', async () => {
  const { chat, slicer } = await slicing({ get_current_project: { plates: [] } })
  expect(own(chat.state())).toEqual(['noModels'])
  expect(slicer.of('start_slicer_all')).toEqual([])
})

it('its progress is shown; at its end it fades, and then says what can be done', async () => {
  const { chat, slicer } = await slicing()
  slicer.offer('switch_to_preview')
  slicer.event('slicingProgress', { percentage: 0.4, text: 'Infill' })
  expect(chat.state().slicing).toMatchObject({ share: 0.4, text: 'Infill', isOver: false })
  expect(chat.isBusy).toBe(true)
  slicer.event('slicingProgress', { percentage: 1 - 1e-7, text: '' })
  expect(chat.state().slicing?.isOver).toBe(true)
  await vi.advanceTimersByTimeAsync(1_999)
  expect(own(chat.state())).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(chat.state().slicing).toBeNull()
  expect(own(chat.state())).toEqual(['sliced'])
  expect(labels(chat.state().entries[0])).toEqual(['export', 'preview'])
})

it('after two minutes the way out is offered; a slicing that ends was not late', async () => {
  const { chat } = await slicing()
  await vi.advanceTimersByTimeAsync(119_999)
  expect(chat.state().slicing?.isLate).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(chat.state().slicing?.isLate).toBe(true)
  const { chat: other, slicer } = await slicing()
  slicer.event('slicingProgress', { percentage: 1, text: '' })
  await vi.advanceTimersByTimeAsync(130_000)
  expect(own(other.state())).toEqual(['sliced'])
})

it('an error ends it, a warning is told at its end; either can be explained', async () => {
  const { chat, slicer } = await slicing()
  slicer.event('notificationPushed', { level: 'warning', text: 'Floating part' })
  expect(chat.state().slicing?.isOver).toBe(false)
  slicer.event('notificationPushed', { level: 'error', text: 'Empty layer' })
  await vi.advanceTimersByTimeAsync(2_000)
  const [told] = chat.state().entries
  expect(told).toMatchObject({ word: 'sliceTrouble', params: { said: 'Floating part\nEmpty layer' } })
  expect(told?.choices).toEqual([
    { label: 'explain', act: { do: 'explain', text: 'Floating part\nEmpty layer' } },
  ])
})

const HIDDEN = { change_chatpanel_display: { view_mode: 'small', visible: false } }
function notified(chat: Chat, slicer: ReturnType<typeof aSlicer>) {
  slicer.said.length = 0
  slicer.event('notificationPushed', { level: 'error', text: 'No bed' })
  slicer.event('notificationPushed', { level: 'error', text: 'No bed' })
  slicer.event('notificationPushed', { level: 'warning', text: 'No bed' })
  slicer.event('notificationPushed', { level: 'hint', text: 'Nice day' })
  return vi.advanceTimersByTimeAsync(0).then(() => chat.state().entries)
}

it('warnings and errors are told once for each level and text', async () => {
  const slicer = aSlicer()
  const chat = startChat(new Bridge(), false)
  expect(await notified(chat, slicer)).toMatchObject([
    { kind: 'notification', level: 'error', text: 'No bed' },
    { kind: 'notification', level: 'warning', text: 'No bed' },
  ])
  expect(slicer.of('set_btn_notification_badges')).toEqual([])
})

it('where nobody looks the panel comes up small', async () => {
  const slicer = aSlicer(HIDDEN)
  const chat = startChat(new Bridge(), false)
  await notified(chat, slicer)
  expect(slicer.of('change_chatpanel_display').map(({ payload }) => payload)).toContainEqual({
    visible: true,
    view_mode: 'small',
  })
})

it('or, as the person wants it, the button counts, until somebody looks', async () => {
  const slicer = aSlicer(HIDDEN)
  const chat = startChat(new Bridge(), false)
  chat.setPopUp(false)
  await notified(chat, slicer)
  const badges = () => slicer.of('set_btn_notification_badges').at(-1)?.payload
  expect(badges()).toEqual({ red_badge: 1, orange_badge: 1, green_badge: 0 })
  slicer.event('chatPanelFocus', { focusEventType: 'in_focus' })
  expect(badges()).toEqual({ red_badge: 0, orange_badge: 0, green_badge: 0 })
  expect(localStorage.getItem('jusprin.chatPanelPopUpOnErrors')).toBe('false')
})

it('in development the panel is opened at once', () => {
  const slicer = aSlicer()
  startChat(new Bridge(), true)
  expect(slicer.of('change_chatpanel_display')[0]?.payload).toEqual({
    visible: true,
    view_mode: preferredView(),
  })
})

it('what the slicer said before anybody listened is heard', () => {
  const slicer = aSlicer()
  slicer.signIn()
  slicer.offer('arrange_all_objects')
  const bridge = new Bridge()
  expect(bridge.state().token).toBe('a-token')
  expect(bridge.supports('arrange_all_objects')).toBe(true)
})

it('whoever does not answer is waited for no longer than ten seconds, one in a wizard a day', async () => {
  aSlicer()
  const bridge = new Bridge()
  const asked = bridge.ask('get_presets').catch((error: Error) => error.message)
  vi.stubGlobal('wx', { postMessage: () => undefined })
  const unanswered = bridge.ask('get_presets').catch((error: Error) => error.message)
  const wizard = bridge.ask('add_printers').catch((error: Error) => error.message)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await unanswered).toBe('get_presets: no response within 10000 ms')
  expect(await asked).toMatchObject({ printerPresets: expect.any(Array) })
  await vi.advanceTimersByTimeAsync(86_400_000)
  expect(await wizard).toBe('add_printers: no response within 86400000 ms')
})
