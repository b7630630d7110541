import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { aServer } from '../../test/server.ts'
import { show } from '../../test/show.tsx'
import { PeriodDialog } from './PeriodDialog.tsx'

test('a first and a last day are asked for in that order; one of them is enough, none is not', async () => {
  aServer()
  const onChoose = vi.fn()
  const { user } = await show(<PeriodDialog initial={{}} onChoose={onChoose} onClose={() => undefined} />)
  const [from, to] = [await screen.findByLabelText('From'), screen.getByLabelText('To')]
  const choose = screen.getByRole('button', { name: 'Show these prints' })
  await user.click(choose)
  expect(onChoose).not.toHaveBeenCalled()
  expect(screen.getByRole('alert')).toHaveTextContent('At least one date is needed')

  await user.type(from, '2026-03-02')
  await user.type(to, '2026-03-01')
  await user.click(choose)
  expect(screen.getByRole('alert')).toHaveTextContent('The first day comes after the last one')
  expect(onChoose).not.toHaveBeenCalled()

  await user.clear(to)
  await user.click(choose)
  expect(onChoose).toHaveBeenCalledExactlyOnceWith({ from: '2026-03-02', to: '' })
})
