import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aServer } from '../../test/server.ts'
import { show } from '../../test/show.tsx'
import { Player } from './Player.tsx'

const at = () => screen.getByRole('slider').getAttribute('aria-valuenow')

test('a film opens where it is told to, once that is known, and is then its viewer’s', async () => {
  aServer()
  const { user } = await show(<Player name="vase" videoUrl="/film.mp4" opensAt={1} />)
  const axis = await screen.findByRole('slider')
  await waitFor(() => expect(at()).toBe(axis.getAttribute('aria-valuemax')))
  axis.focus()
  await user.keyboard('{Home}')
  expect(at()).toBe(axis.getAttribute('aria-valuemin'))
})
