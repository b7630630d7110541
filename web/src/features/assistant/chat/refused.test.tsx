import { act } from '@testing-library/react'
import { type AssistantMessage, sendMessage } from '@vigil/contract/assistant/answers.ts'
import { createChat, getAssistantUser, replaceChat } from '@vigil/contract/assistant/chats.ts'
import { fieldsOf } from '@vigil/contract/fields.ts'
import { afterEach, expect, it, vi } from 'vitest'
import { aServer, answers, refuses } from '../../../../test/server.ts'
import { Bridge } from '../bridge/index.ts'
import { send, takeBack } from './query.ts'
import { aSlicer, KEPT } from './slicer.fixture.ts'
import { slice } from './slicing.ts'
import { otherwiseIn } from './standing.ts'
import { startChat } from './start.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  localStorage.clear()
})

const me = (id = 1) => ({
  user: { id, username: '', email: 'a@b.c', first_name: '', last_name: '' },
  ai_credits: null,
  assistant: { mind: 'advisor' as const, vision: false },
  support: { by: 'form' as const, email: null, community_url: null },
})
const profiles = {
  use_print_process_preset: '0.20 mm NORMAL',
  filament_overrides: {},
  print_process_overrides: { wall_loops: '4' },
}
const STRONG: AssistantMessage = {
  role: 'assistant',
  content: 'Stronger it is.',
  mind: 'advisor',
  slicing_profiles: profiles,
  before: { ...profiles, print_process_overrides: {} },
  agent_actions: [{ name: 'slice_model', arguments: {} }],
}

const change = { of: 'print' as const, before: '2', after: '4', reason: '', source: null, limited: null }
const loops = { ...change, parameter: 'wall_loops', label: 'Wall loops' }

const preset = {
  name: '0.20 mm NORMAL',
  is_default: false,
  is_selected: true,
  dirty_options: [],
  config: {},
}

/** Somebody who is signed in, in a slicer that answers so. */
async function chatting(over: Record<string, unknown> = {}) {
  const server = aServer(
    answers(getAssistantUser, me()),
    answers(createChat, KEPT),
    answers(replaceChat, KEPT),
    answers(sendMessage, { message: STRONG }),
  )
  const slicer = aSlicer(over)
  const chat = startChat(new Bridge(), false)
  slicer.signIn()
  await vi.waitFor(() => expect(chat.state().edited).not.toBeNull())
  return { server, slicer, chat }
}
const REFUSED = { apply_config: { refused: 'wall_loops: no' } }

it('settings that the slicer refused are not claimed, and nothing is sliced with what stands there', async () => {
  const { server, slicer, chat } = await chatting(REFUSED)
  await send(chat, 'make it strong and slice it')
  expect(chat.state().entries).toMatchObject([
    { kind: 'user' },
    { kind: 'assistant', isRefused: true },
    { kind: 'own', word: 'hostFailed' },
  ])
  expect(slicer.of('start_slicer_all')).toEqual([])
  // Whoever presses the button is asked, as nothing was chosen.
  await slice(chat)
  expect(chat.state().entries.at(-1)).toMatchObject({ word: 'confirmSlice' })
  // Neither the server nor who reads it later takes them for applied.
  const last = server.written().findLast(({ method }) => method === 'PUT')
  expect(JSON.parse(String(fieldsOf(last?.body)['messages']))).toEqual([
    { role: 'user', content: 'make it strong and slice it' },
    { role: 'assistant', content: 'Stronger it is.' },
  ])
})

it.each([
  ['0.20 and 0.2', { layer_height: '0.20' }, ['0.2']],
  ['a switch in words', { layer_height: 'true' }, '1'],
  ['several nozzles', { layer_height: '0.2' }, '0.2,0.4'],
])('%s is the same', (_, wanted, now) => {
  const chosen = {
    use_print_process_preset: preset.name,
    filament_overrides: {},
    print_process_overrides: wanted,
  }
  const edited = { filament: preset, process: { ...preset, config: { layer_height: now } } }
  expect(otherwiseIn(chosen, edited)).toEqual([])
})

it('what the slicer took otherwise than it said is not claimed, and nothing is sliced with it', async () => {
  const { server, slicer, chat } = await chatting({
    get_edited_presets: {
      editedPrinterPreset: preset,
      editedFilamentPreset: preset,
      editedPrintProcessPreset: { ...preset, config: { wall_loops: '2', top_shell_layers: '5' } },
    },
  })
  const message: AssistantMessage = {
    ...STRONG,
    slicing_profiles: { ...profiles, print_process_overrides: { wall_loops: '4', top_shell_layers: '5' } },
    changes: [loops, { ...change, parameter: 'top_shell_layers', label: 'Top layers' }],
  }
  server.now(answers(sendMessage, { message }))
  await send(chat, 'make it strong and slice it')
  expect(chat.state().entries).toMatchObject([
    { kind: 'user' },
    { kind: 'assistant', isRefused: false, otherwise: [{ parameter: 'wall_loops', now: '2' }] },
    { kind: 'own', word: 'otherwise', params: { names: 'Wall loops' } },
  ])
  expect(slicer.of('start_slicer_all')).toEqual([])
  const last = server.written().findLast(({ method }) => method === 'PUT')
  // It can be taken back all the same.
  expect(JSON.parse(String(fieldsOf(last?.body)['messages']))).toMatchObject([
    { role: 'user' },
    { role: 'assistant', before: message.before, changes: [{ parameter: 'top_shell_layers' }] },
  ])
})

it('a slicer that takes it and says nothing then has not refused it: nothing is claimed, and it can be taken back', async () => {
  const { server, slicer, chat } = await chatting()
  Object.defineProperty(slicer.answers, 'apply_config', {
    get: () => {
      slicer.answers['get_presets'] = { refused: 'busy' }
      return null
    },
  })
  server.now(answers(sendMessage, { message: { ...STRONG, changes: [loops] } }))
  await send(chat, 'make it strong and slice it')
  expect(chat.state().entries).toMatchObject([
    { kind: 'user' },
    { kind: 'assistant', isRefused: false, otherwise: [{ parameter: 'wall_loops', now: null }] },
    { kind: 'own', word: 'hostFailed' },
  ])
  expect(slicer.of('start_slicer_all')).toEqual([])
  const last = server.written().findLast(({ method }) => method === 'PUT')
  expect(JSON.parse(String(fieldsOf(last?.body)['messages']))).toMatchObject([
    { role: 'user' },
    { role: 'assistant', before: STRONG.before, changes: [] },
  ])
})

it('what the slicer keeps of all that was taken back is named', async () => {
  const { server, chat } = await chatting({
    get_edited_presets: {
      editedPrinterPreset: preset,
      editedFilamentPreset: preset,
      editedPrintProcessPreset: {
        ...preset,
        dirty_options: ['wall_loops', 'top_shell_layers'],
        config: { wall_loops: '4', top_shell_layers: '4' },
      },
    },
  })
  server.now(answers(sendMessage, { message: { ...STRONG, agent_actions: [], changes: [loops] } }))
  await send(chat, 'make it strong')
  const both = { ...profiles, print_process_overrides: { wall_loops: '4', top_shell_layers: '4' } }
  const top = { ...change, parameter: 'top_shell_layers', label: 'Top layers' }
  const message = { ...STRONG, agent_actions: [], before: profiles, slicing_profiles: both, changes: [top] }
  server.now(answers(sendMessage, { message }))
  await send(chat, 'and close the top')
  await takeBack(chat, chat.state().entries[1]!.id)
  expect(chat.state().entries.slice(-2)).toMatchObject([
    { kind: 'own', word: 'takenBack' },
    { kind: 'own', word: 'otherwise', params: { names: 'Wall loops, Top layers' } },
  ])
})

it('what cannot be KEPT is applied all the same', async () => {
  const { server, slicer, chat } = await chatting()
  server.now(refuses(createChat, 500), refuses(replaceChat, 500))
  await send(chat, 'make it strong and slice it')
  expect(slicer.of('apply_config')).toHaveLength(1)
  expect(slicer.of('start_slicer_all')).toHaveLength(1)
})

it('whoever signs in after somebody else finds nothing of theirs; the same person finds all', async () => {
  const { server, chat } = await chatting()
  await send(chat, 'my secret')
  const token = (value: string) => act(() => window.setJusPrinEmbeddedChatOauthAccessToken?.(value))
  token('')
  token('renewed')
  await vi.waitFor(() => expect(chat.state().me).not.toBeNull())
  expect(chat.chatId).toBe(5)
  server.now(answers(getAssistantUser, me(2)))
  token('')
  token('another')
  await vi.waitFor(() => expect(chat.state().me?.user.id).toBe(2))
  expect([chat.chatId, chat.state().entries]).toEqual([null, []])
})

it('a token that is worth nothing is asked about once, also when it is handed over again', async () => {
  const server = aServer(refuses(getAssistantUser, 401))
  const slicer = aSlicer()
  const bridge = new Bridge()
  startChat(bridge, false)
  slicer.signIn()
  await vi.waitFor(() => expect(slicer.of('refresh_oauth_token')).not.toEqual([]))
  slicer.signIn()
  expect(bridge.state().token).toBeNull()
  act(() => window.setJusPrinEmbeddedChatOauthAccessToken?.('another'))
  expect(bridge.state().token).toBe('another')
  const known = () => server.asked.filter(({ path }) => path.endsWith('/me/'))
  await vi.waitFor(() => expect(known()).toHaveLength(2))
})
