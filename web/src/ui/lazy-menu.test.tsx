import { act, screen } from '@testing-library/react'
import type { ComponentType } from 'react'
import { expect, test } from 'vitest'
import { aServer } from '../../test/server.ts'
import { show } from '../../test/show.tsx'
import { firstScreenStands, quiet } from '../lib/quiet.ts'
import { type LoadedMenuProps, lazyMenu } from './lazy-menu.tsx'

const Opened = ({ opened, button }: LoadedMenuProps) => (
  <>
    {button}
    <p>{opened ? 'open' : 'shut'}</p>
  </>
)

/** A menu whose code is on its way, and what has it come. */
async function aMenu() {
  aServer()
  const code = Promise.withResolvers<ComponentType<LoadedMenuProps>>()
  const Menu = lazyMenu(() => code.promise)
  firstScreenStands()
  await quiet
  const { user } = await show(<Menu button={<button type="button">Time</button>} />)
  const press = (keys: string) => user.pointer({ keys, target: screen.getByRole('button', { name: 'Time' }) })
  const come = () => act(async () => code.resolve(Opened))
  return { user, press, come }
}

test('a menu whose code comes between press and release opens', async () => {
  const { press, come } = await aMenu()
  await press('[MouseLeft>]')
  await come()
  expect(await screen.findByText('open')).toBeVisible()
})

test('it stays shut where nobody has pressed, or who did went elsewhere', async () => {
  const { user, press, come } = await aMenu()
  await press('[MouseLeft>]')
  await user.pointer({ target: document.body })
  await come()
  expect(await screen.findByText('shut')).toBeVisible()
  await press('[/MouseLeft]')
  expect(screen.getByText('shut')).toBeVisible()
})
