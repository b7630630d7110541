import { screen, waitFor, within } from '@testing-library/react'
import { analysePlate, type AssistantMessage, sendMessage } from '@vigil/contract/assistant/answers.ts'
import { contactSupport, createChat, getAssistantUser, replaceChat } from '@vigil/contract/assistant/chats.ts'
import type { Reply } from '@vigil/contract/endpoint.ts'
import { fieldsOf } from '@vigil/contract/fields.ts'
import { expect, it } from 'vitest'
import { aServer, answers, isAway, refuses } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import { loadTexts } from '../words/index.ts'
import { EmbeddedChat } from './EmbeddedChat.tsx'
import { aSlicer, KEPT } from './slicer.fixture.ts'

const me = (
  used = 10,
  support: 'form' | 'community' = 'form',
  quota = 50,
): Reply<typeof getAssistantUser> => ({
  user: { id: 1, username: '', email: 'a@b.c', first_name: '', last_name: '' },
  ai_credits: {
    user: 1,
    ai_credit_free_monthly_quota: quota,
    ai_credit_used_current_month: used,
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
  },
  assistant: { mind: 'model', vision: true },
  support: { by: support, email: 'help@example.org', community_url: 'https://chat.example.org/' },
})
const saying = (message: Partial<AssistantMessage>) =>
  answers(sendMessage, {
    message: { role: 'assistant', content: 'Done so.', mind: 'advisor', ...message },
  })
const world = (message: Partial<AssistantMessage> = {}, known = me()) => [
  answers(getAssistantUser, known),
  answers(createChat, KEPT),
  answers(replaceChat, KEPT),
  saying(message),
]
const STRONG: Partial<AssistantMessage> = {
  content: 'Stronger it is.',
  slicing_profiles: {
    use_print_process_preset: '0.20 mm NORMAL',
    filament_overrides: { hot_plate_temp: ['65'] },
    print_process_overrides: { sparse_infill_density: '40%', wall_loops: '4', enable_support: true },
  },
  before: {
    use_print_process_preset: '0.20 mm NORMAL',
    filament_overrides: {},
    print_process_overrides: { sparse_infill_density: '15%' },
  },
  changes: [
    {
      of: 'print',
      parameter: 'wall_loops',
      label: 'Wall loops',
      before: '2',
      after: '4',
      reason: 'Walls carry most of the load.',
      source: 'the manual',
      limited: null,
    },
  ],
}

/** The chat in a slicer where somebody is signed in. */
async function chatting(
  over: Record<string, unknown> = {},
  message: Partial<AssistantMessage> = {},
  known = me(),
) {
  const server = aServer(...world(message, known))
  const slicer = aSlicer(over)
  const { user } = await show(<EmbeddedChat />)
  await loadTexts()
  slicer.signIn()
  await screen.findByText('Generic PLA')
  const say = async (text: string) => {
    await waitFor(() => expect(screen.getByRole('textbox', { name: 'Your message' })).toBeEnabled())
    await user.type(screen.getByRole('textbox', { name: 'Your message' }), `${text}{Enter}`)
  }
  return { server, slicer, user, say, list: screen.getByRole('log', { name: 'Conversation' }) }
}
const press = (name: string | RegExp) => screen.findByRole('button', { name })

it('asks the slicer to sign in, and greets with what is selected once it has a token', async () => {
  aServer(...world())
  const slicer = aSlicer()
  const { user } = await show(<EmbeddedChat />)
  await user.click(await press('Sign up / sign in'))
  expect(slicer.of('show_login')).toEqual([{ action: 'show_login' }])
  slicer.signIn()
  expect(await screen.findByText('Ender-3 (0.4 mm nozzle)')).toBeVisible()
  expect(screen.getByText('1 model')).toBeVisible()
  expect(screen.getByText('40 left')).toBeVisible()
})

it('in a plain browser it says where it belongs', async () => {
  aServer()
  await show(<EmbeddedChat />, { language: 'zh' })
  expect(await screen.findByText('此页面不在切片软件中')).toBeVisible()
})

it('a question goes with all that the slicer knows; the answer is applied, shown with its reasons, and taken back whole', async () => {
  const { server, slicer, user, say } = await chatting({}, STRONG)
  slicer.said.length = 0
  await say('make it strong')
  expect(await screen.findByText('Stronger it is.')).toBeVisible()
  await waitFor(() => expect(slicer.actions()).toContain('apply_config'))
  expect(
    slicer
      .actions()
      .filter((name) => name !== 'change_chatpanel_display')
      .slice(0, 5),
  ).toEqual(['get_presets', 'get_edited_presets', 'get_current_project', 'select_preset', 'apply_config'])
  const [sent] = server.written().filter(({ path }) => path.endsWith('/messages/'))
  const body = fieldsOf(sent?.body)
  const profiles = fieldsOf(body['slicing_profiles'])
  expect(body['messages']).toEqual([{ role: 'user', content: 'make it strong' }])
  expect(body['chat_id']).toBe(5)
  expect(profiles['print_process_overrides']).toEqual({ sparse_infill_density: '15%' })
  expect(profiles['print_process_presets']).toHaveLength(2)
  expect(profiles['filament_presets']).toMatchObject([{ name: 'Generic PLA' }])

  // The filament's first, of lists the first, the same on all five plates; true is 1.
  const beds = ['hot', 'cool', 'eng', 'textured_cool', 'textured'].map((plate) => ({
    type: 'filament',
    key: `${plate}_plate_temp`,
    value: '65',
  }))
  const [applied] = slicer.of('apply_config')
  expect(applied?.payload).toEqual([
    ...beds,
    { type: 'print', key: 'sparse_infill_density', value: '40%' },
    { type: 'print', key: 'wall_loops', value: '4' },
    { type: 'print', key: 'enable_support', value: '1' },
  ])
  const changes = screen.getByRole('region', { name: '1 change' })
  expect(within(changes).getByText('Wall loops')).toBeVisible()
  expect(within(changes).getByText('2')).toBeVisible()
  expect(within(changes).getByText('4')).toBeVisible()
  expect(within(changes).getByText('Walls carry most of the load.')).toBeVisible()

  slicer.said.length = 0
  await user.click(await press('Take all back'))
  expect(await screen.findByText('Taken back')).toBeVisible()
  expect(slicer.of('select_preset')[0]?.payload).toEqual({ type: 'print', name: '0.20 mm NORMAL' })
  expect(slicer.of('apply_config')[0]?.payload).toEqual([
    { type: 'print', key: 'sparse_infill_density', value: '15%' },
  ])
})

it('the server hears afterwards that it was taken back', async () => {
  const { server, user, say } = await chatting({}, STRONG)
  await say('make it strong')
  await user.click(await press('Take all back'))
  await screen.findByText('Taken back')
  await say('and now?')
  await waitFor(() =>
    expect(server.written().filter(({ path }) => path.endsWith('/messages/'))).toHaveLength(2),
  )
  const [, second] = server.written().filter(({ path }) => path.endsWith('/messages/'))
  expect(fieldsOf(second?.body)['messages']).toMatchObject([
    { role: 'user' },
    { role: 'assistant', slicing_profiles: STRONG.slicing_profiles, before: STRONG.before },
    { role: 'assistant', undo: true },
    { role: 'user', content: 'and now?' },
  ])
})

it.each([
  ['printerPresets', 'Please add at least one printer first.', 'Add printers', 'add_printers'],
  ['filamentPresets', 'Please add at least one filament first.', 'Add filaments', 'add_filaments'],
])('without %s nothing is asked, and the wizard is offered', async (list, text, button, action) => {
  const { server, slicer, user, say } = await chatting()
  slicer.answers['get_presets'] = { ...fieldsOf(slicer.answers['get_presets']), [list]: [] }
  slicer.answers[action] = {}
  await say('hello')
  expect(await screen.findByText(text)).toBeVisible()
  expect(server.written()).toEqual([])
  await user.click(await press(button))
  expect(slicer.of(action)).toMatchObject([{ refId: expect.any(String) }])
  expect(await screen.findByText(/are up to date/)).toBeVisible()
})

it('several plates are no matter of this beta', async () => {
  const { server, slicer, say } = await chatting()
  const { plates } = fieldsOf(slicer.answers['get_current_project'])
  slicer.answers['get_current_project'] = { plates: [plates, plates].flat() }
  await say('hello')
  expect(await screen.findByText(/several plates are not supported yet/)).toBeVisible()
  expect(server.written()).toEqual([])
})

it('does what was decided in the order of the contract, and puts it right on request', async () => {
  const { slicer, user, say } = await chatting(
    {},
    {
      agent_actions: [
        { name: 'ask_user_to_choose_from_options', arguments: { user_options_to_choose_from: ['Faster'] } },
        { name: 'auto_arrange_all_models', arguments: {} },
        { name: 'auto_orient_all_models', arguments: {} },
        { name: 'change_printer', arguments: {} },
      ],
    },
  )
  slicer.offer('auto_orient_object')
  await say('tidy up')
  expect(await press('Faster')).toBeVisible()
  const done = slicer.actions().filter((name) => /orient|arrange/.test(name))
  expect(done).toEqual(['auto_orient_object', 'arrange_all_objects'])
  expect(screen.getByText('There is no other one here yet.')).toBeVisible()
  slicer.event('autoOrient', { status: 'completed', currentProject: null })
  const turned = (await screen.findByText('The models are turned.')).parentElement
  await user.click(within(turned ?? document.body).getByRole('button', { name: 'Undo' }))
  expect(slicer.of('plater_undo')).toEqual([{ action: 'plater_undo' }])
})

it('a preset of the person’s own is picked by its name', async () => {
  const { slicer, user, say } = await chatting(
    {},
    { agent_actions: [{ name: 'change_filament', arguments: {} }] },
  )
  const said = fieldsOf(slicer.answers['get_presets'])
  const petg = { name: 'Generic PETG', is_default: false, is_selected: false, config: {} }
  slicer.answers['get_presets'] = { ...said, filamentPresets: [said['filamentPresets'], petg].flat() }
  await say('another filament')
  await user.click(await press('Generic PETG'))
  expect(slicer.of('select_preset').at(-1)?.payload).toEqual({ type: 'filament', name: 'Generic PETG' })
  expect(await screen.findByText('“Generic PETG” is selected.')).toBeVisible()
})

it('what the slicer refuses is said, in its words', async () => {
  const { say } = await chatting({ select_preset: { refused: 'no such preset' } }, STRONG)
  await say('make it strong')
  expect(await screen.findByRole('alert')).toHaveTextContent('The slicer did not do it: no such preset')
})

it('the month’s credits: warned below a third, red at none, and where there are more when they are used up', async () => {
  const { server, slicer, user, say } = await chatting({}, {}, me(34))
  expect(screen.getByText('16 left')).toHaveAttribute('data-tone', 'warn')
  server.now(refuses(sendMessage, 402, { error: 'used up' }), answers(getAssistantUser, me(50)))
  slicer.offer('show_pricing_plan')
  await say('hello')
  await user.click(
    within(await screen.findByRole('dialog', { name: /credits are used up/ })).getByRole('button', {
      name: 'See plans',
    }),
  )
  expect(slicer.of('show_pricing_plan')).toHaveLength(1)
  expect(await screen.findByText('0 left')).toHaveAttribute('data-tone', 'bad')
})

it('without credits it goes on with the rules, which cost none, until there are some again', async () => {
  const { server, user, say } = await chatting({}, { content: 'By the rules.' }, me(50))
  server.now(refuses(sendMessage, 402, { error: 'used up' }), answers(getAssistantUser, me(50)))
  await say('make it strong')
  const dialog = await screen.findByRole('dialog', { name: /credits are used up/ })
  server.now(saying({ content: 'By the rules.' }))
  await user.click(within(dialog).getByRole('button', { name: 'Go on without the model' }))
  expect(await screen.findByText('By the rules.')).toBeVisible()
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  const asked = () =>
    server
      .written()
      .filter(({ path }) => path.endsWith('/messages/'))
      .map(({ body }) => fieldsOf(body))
  expect(asked().map(({ mind }) => mind)).toEqual([undefined, 'advisor'])
  // What was asked is not asked twice.
  expect(asked()[1]?.['messages']).toEqual([{ role: 'user', content: 'make it strong' }])
  server.now(answers(getAssistantUser, me(0)))
  await say('and now?')
  expect(await screen.findByText('50 left')).toBeVisible()
  await say('once more')
  await waitFor(() =>
    expect(asked().map(({ mind }) => mind)).toEqual([undefined, 'advisor', 'advisor', undefined]),
  )
})

it('credits without end are not counted', async () => {
  await chatting({}, {}, me(3, 'form', -1))
  expect(screen.queryByText(/ left$/)).not.toBeInTheDocument()
})

it('what failed says so, and begins anew on request', async () => {
  const { server, user, say, list } = await chatting()
  server.now(refuses(sendMessage, 500))
  await say('hello')
  expect(await screen.findByText('Sorry, there was an error processing your request.')).toBeVisible()
  await user.click(await press('Start over'))
  expect(within(list).queryByText('hello')).not.toBeInTheDocument()
  server.now(isAway(sendMessage))
  await say('again')
  expect(await screen.findByText(/server can't be reached/)).toBeVisible()
})

it('a token that is worth nothing is forgotten, and the slicer asked for another', async () => {
  const { server, slicer, say } = await chatting()
  server.now(refuses(sendMessage, 403))
  slicer.said.length = 0
  await say('hello')
  expect(await press('Sign up / sign in')).toBeVisible()
  expect(slicer.of('refresh_oauth_token')).toHaveLength(1)
})

it('support: nothing empty goes, what failed can be tried again, what went is said', async () => {
  const { server, user } = await chatting()
  server.now(refuses(contactSupport, 503, { error: 'no mail' }))
  await user.click(await press('More'))
  await user.click(await screen.findByRole('menuitem', { name: 'Contact support', hidden: true }))
  expect(screen.queryByRole('textbox', { name: 'Your message' })).toBeVisible()
  await user.click(await press('Send'))
  expect(screen.getByText('Please enter a message before submitting.')).toBeVisible()
  await user.type(screen.getByRole('textbox', { name: 'Your message' }), 'It does not slice')
  await user.click(await press('Send'))
  expect(await screen.findByText(/Failed to send your support request/)).toBeVisible()
  server.now(answers(contactSupport, { message: 'ok' }))
  await user.click(await press('Send'))
  expect(await screen.findByText(/Your support request has been sent/)).toBeVisible()
})

it('whoever is not signed in can write, and says where to answer', async () => {
  const server = aServer(answers(contactSupport, { message: 'ok' }))
  aSlicer()
  const { user } = await show(<EmbeddedChat />)
  await loadTexts()
  await user.click(await press('More'))
  await user.click(await screen.findByRole('menuitem', { name: 'Contact support', hidden: true }))
  await user.type(await screen.findByRole('textbox', { name: 'Your message' }), 'I cannot sign in')
  await user.click(await press('Send'))
  expect(screen.getByText('Say where we can answer.')).toBeVisible()
  await user.type(screen.getByRole('textbox', { name: /Where to answer/ }), 'ada@example.org')
  await user.click(await press('Send'))
  expect(await screen.findByText(/Your support request has been sent/)).toBeVisible()
  expect(server.written()).toMatchObject([
    { body: { message: 'I cannot sign in', email: 'ada@example.org' } },
  ])
})

it('where nobody reads letters that is said', async () => {
  const known = me()
  const { user } = await chatting({}, {}, { ...known, support: { ...known.support, email: null } })
  await user.click(await press('More'))
  await user.click(await screen.findByRole('menuitem', { name: 'Contact support', hidden: true }))
  expect(await screen.findByText(/has named nobody to write to/)).toBeVisible()
  expect(screen.queryByRole('textbox', { name: 'Your message' })).not.toBeInTheDocument()
})

it('on a plan without letters the community helps; whoever dismisses goes on', async () => {
  const { user } = await chatting(
    {},
    { agent_actions: [{ name: 'contact_support', arguments: {} }] },
    me(1, 'community'),
  )
  await user.type(screen.getByRole('textbox', { name: 'Your message' }), 'help{Enter}')
  expect(await screen.findByRole('link', { name: 'Ask the community' })).toHaveAttribute(
    'href',
    'https://chat.example.org/',
  )
  await user.click(await press('Dismiss'))
  expect(screen.getByText(/^No problem!/)).toBeVisible()
})

it('the plate is looked at from four sides; what is proposed is taken, changed first, or put away', async () => {
  const { server, slicer, user } = await chatting()
  server.now(
    answers(analysePlate, {
      message: {
        role: 'assistant',
        content: 'It hangs over.',
        mind: 'model',
        suggested_printing_method: 'Print it with tree supports.',
      },
    }),
  )
  await user.click(await press('Analyse my plate'))
  expect(await screen.findByText('It hangs over.')).toBeVisible()
  const { views } = fieldsOf(slicer.of('render_plate')[0]?.payload)
  expect(views).toHaveLength(4)
  await user.click(await press('Edit'))
  expect(screen.getByRole('textbox', { name: 'Your message' })).toHaveValue('Print it with tree supports.')
  await user.click(await press('Analyse my plate'))
  await user.click(await press('No, thanks'))
  expect(screen.getAllByText('It hangs over.')).toHaveLength(1)
  await user.click(await press('Analyse my plate'))
  await user.click(await press('Print it so'))
  await waitFor(() =>
    expect(server.written().find(({ path }) => path.endsWith('/messages/'))).toMatchObject({
      body: { messages: expect.arrayContaining([{ role: 'user', content: 'Print it with tree supports.' }]) },
    }),
  )
})

it('Enter sends, with another key it is a new line, and nothing empty is sent', async () => {
  const { server, user } = await chatting()
  const field = screen.getByRole('textbox', { name: 'Your message' })
  await user.type(field, '  {Enter}')
  expect(server.written()).toEqual([])
  await user.clear(field)
  await user.type(field, 'a{Control>}{Enter}{/Control}')
  expect(field).toHaveValue('a\n')
  await user.type(field, '{Enter}')
  await waitFor(() => expect(server.written()).not.toEqual([]))
})

it('how it is shown is the slicer’s to do', async () => {
  const { slicer, user } = await chatting()
  await user.click(await press('Large window'))
  await user.click(await press('Close'))
  expect(slicer.of('change_chatpanel_display').map(({ payload }) => payload)).toEqual([
    { view_mode: 'large' },
    { visible: false },
  ])
})
