import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aServer } from '../../test/server.ts'
import { show } from '../../test/show.tsx'
import { Bar } from './Bar.tsx'

test('who hears a bar hears whole percent, as it is written', async () => {
  aServer()
  await show(<Bar value={43.2981} aria-label="Progress" />)
  const bar = screen.getByRole('progressbar', { name: 'Progress' })
  expect(bar.getAttribute('aria-valuetext')?.replaceAll(/\W/gu, ' ')).toMatch(/^43 +$/)
  expect(bar).toHaveAttribute('aria-valuetext', expect.stringMatching(/^43\W+%$/))
  expect(bar).toHaveAttribute('aria-valuenow', '43')
})
