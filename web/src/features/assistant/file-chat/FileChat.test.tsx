import { screen, waitFor } from '@testing-library/react'
import { type Chat, listChats, updateChat } from '@vigil/contract/assistant/chats.ts'
import { expect, it } from 'vitest'
import { aServer, answers, refuses } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import { FileChat } from './index.ts'

const said = [
  { role: 'user', content: 'make it strong' },
  {
    role: 'assistant',
    content: 'Stronger it is.',
    changes: [{ label: 'Wall loops', before: '2', after: '4' }],
  },
]
const chat: Chat = {
  id: 5,
  messages: JSON.stringify(said),
  machine_name: 'Ender-3',
  filament_name: 'PLA',
  print_process_name: '0.20 mm',
  slicing_settings_json: null,
  g_code_file_id: 3,
  user_feedback: null,
  user_feedback_text: null,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
}

it('stands beside a file that the assistant helped to make, and asks for words once it was judged', async () => {
  const server = aServer(
    answers(listChats, [chat]),
    answers(updateChat, ({ body }) => ({ ...chat, user_feedback: 'negative', ...Object(body) })),
  )
  const { user } = await show(<FileChat fileId={3} />)
  expect(await screen.findByText('With Ender-3 · PLA · 0.20 mm')).toBeVisible()
  expect(screen.queryByRole('textbox')).not.toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'They did not' }))
  await user.type(await screen.findByRole('textbox'), 'It broke')
  await user.click(screen.getByRole('button', { name: 'Send' }))
  expect(await screen.findByText('Thank you, it is kept.')).toBeVisible()
  expect(server.written().map(({ body }) => body)).toEqual([
    { user_feedback: 'negative' },
    { user_feedback_text: 'It broke' },
  ])
  expect(screen.getByText('Wall loops: 2 → 4')).toBeInTheDocument()
})

it('what could not be kept says so', async () => {
  aServer(answers(listChats, [chat]), refuses(updateChat, 500))
  const { user } = await show(<FileChat fileId={3} />)
  await user.click(await screen.findByRole('button', { name: 'They did' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('Your answer could not be kept.')
})

it('of other files it says nothing, and what another page kept breaks nothing', async () => {
  const server = aServer(answers(listChats, []))
  await show(<FileChat fileId={3} />)
  await waitFor(() => expect(server.asked.some(({ path }) => path.endsWith('/chats/'))).toBe(true))
  expect(screen.queryByText('Made with the assistant')).not.toBeInTheDocument()
  server.now(answers(listChats, [{ ...chat, messages: '{"no": "list"' }]))
  await show(<FileChat fileId={4} />)
  expect(await screen.findByText('Nothing was said.')).toBeInTheDocument()
})
