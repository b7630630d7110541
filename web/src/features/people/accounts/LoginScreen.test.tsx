import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aServer } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import LoginScreen from './LoginScreen.tsx'

test('whoever was signed out hears why; whoever comes by themselves does not', async () => {
  aServer()
  const { router } = await show(<LoginScreen />, { at: '/accounts/login/?ended=true' })
  await screen.findByText(/^You were signed out/)
  await router.navigate({ to: '/accounts/login/' })
  expect(await screen.findByText('See your printers and what they are doing.')).toBeVisible()
  expect(screen.queryByText(/^You were signed out/)).toBeNull()
})
