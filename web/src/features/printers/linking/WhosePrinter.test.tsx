import { screen } from '@testing-library/react'
import { type Household, listHouseholds } from '@vigil/contract/people/household.ts'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { answers, aServer } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import { WhosePrinter } from './WhosePrinter.tsx'

const of = (id: number, name: string, role: Household['role']): Household => ({
  id,
  name,
  role,
  member_id: role === null ? null : id,
  printers: [],
})
const own = of(1, 'Maria', null)

function Wizard() {
  const [account, setAccount] = useState<number | null>(null)
  return (
    <>
      <WhosePrinter account={account} onAccount={setAccount} />
      <p>{account === null ? 'into my own' : `into ${account}`}</p>
    </>
  )
}

test('who runs a household says whose the printer becomes', async () => {
  aServer(answers(listHouseholds, [own, of(2, 'Ada', 'owner'), of(3, 'Eve', 'operator')]))
  const { user } = await show(<Wizard />)
  const choice = await screen.findByRole('combobox', { name: 'Whose printer is it?' })
  expect([...choice.querySelectorAll('option')].map(({ textContent }) => textContent)).toEqual([
    'Yours',
    'Ada',
  ])
  await user.selectOptions(choice, 'Ada')
  await screen.findByText('into 2')
  await user.selectOptions(choice, 'Yours')
  await screen.findByText('into my own')
})

test('nobody else is asked', async () => {
  const server = aServer(answers(listHouseholds, [own, of(3, 'Eve', 'operator')]))
  await show(<Wizard />)
  await screen.findByText('into my own')
  await expect.poll(() => server.asked.some(({ path }) => path === listHouseholds.path)).toBe(true)
  expect(screen.queryByRole('combobox')).toBeNull()
})
