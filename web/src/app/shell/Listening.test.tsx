import { logout } from '@vigil/contract/people/accounts.ts'
import { act, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { answers, aServer } from '../../../test/server.ts'
import { show } from '../../../test/show.tsx'
import LogoutScreen from '../../features/people/sign-in/LogoutScreen.tsx'
import { Listening } from './Listening.tsx'

/** The sockets that the page has opened, from its side. */
class Wire extends EventTarget {
  static all: Wire[] = []
  isClosed = false

  constructor() {
    super()
    Wire.all.push(this)
  }

  send() {}

  close() {
    this.isClosed = true
  }
}

/** A page whose line comes later than all else, and goes. */
function Page() {
  const [on, setOn] = useState(false)
  return (
    <>
      <button onClick={() => setOn(!on)}>turn</button>
      {on && <Listening />}
      <LogoutScreen />
    </>
  )
}

const open = () => Wire.all.filter(({ isClosed }) => !isClosed).length

test('who signs out opens no line any more, and has it again when that fails', async () => {
  Wire.all = []
  const away = Promise.withResolvers<never>()
  aServer(answers(logout, () => away.promise))
  vi.stubGlobal('WebSocket', Wire)
  const { user } = await show(<Page />)
  const turn = screen.getByRole('button', { name: 'turn' })
  await user.click(turn)
  expect(open()).toBe(1)
  await user.click(screen.getByRole('button', { name: 'Log out' }))
  await waitFor(() => expect(open()).toBe(0))
  await user.click(turn)
  await user.click(turn)
  expect(Wire.all).toHaveLength(1)
  away.reject(new TypeError('fetch failed'))
  await waitFor(() => expect(open()).toBe(1))
})

test('a line whose session was ended is opened anew for who comes next', async () => {
  aServer()
  vi.stubGlobal('WebSocket', Wire)
  const { user } = await show(<Page />)
  const turn = screen.getByRole('button', { name: 'turn' })
  await user.click(turn)
  act(() => Wire.all.forEach((wire) => wire.dispatchEvent(new CloseEvent('close', { code: 4401 }))))
  await user.click(turn)
  const before = Wire.all.length
  await user.click(turn)
  expect(Wire.all).toHaveLength(before + 1)
})
