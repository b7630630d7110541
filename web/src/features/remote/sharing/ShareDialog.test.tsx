import { screen, waitFor, within } from '@testing-library/react'
import { bootstrap } from '@vigil/contract/people/accounts.ts'
import { deleteShareLink, listShareLinks } from '@vigil/contract/remote/sharing.ts'
import i18next from 'i18next'
import { expect, test } from 'vitest'
import { shareLinks } from '../../../../dev/replies.ts'
import { answer } from '../../../../dev/stub.ts'
import { catalogue } from '../../../lib/catalogue.ts'
import type { Bootstrap } from '../../../lib/session.ts'
import { answers, aServer, refuses } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import { ShareDialog } from './ShareDialog.tsx'

const dialog = () => show(<ShareDialog printerId={1} name="Ender" onClose={() => undefined} />)

test('links are listed; one is revoked after a question that says who looks, and all with the switch', async () => {
  let links = shareLinks
  const server = aServer(
    answers(listShareLinks, () => links),
    answers(deleteShareLink, ({ path }) => {
      links = links.filter(({ id }) => !path.endsWith(`/${id}/`))
      return null
    }),
  )
  const { user } = await dialog()
  await screen.findByRole('switch', { name: /^Share this camera/ })
  const names = () => screen.getAllByRole('listitem').map((row) => row.querySelector('strong')?.textContent)
  expect(names()).toEqual(['Default link', 'Makerspace screen', 'Client: vase'])

  await user.click(screen.getByRole('button', { name: 'Revoke Default link' }))
  const question = await screen.findByRole('dialog', { name: /Default link/ })
  expect(question).toHaveTextContent('2')
  await user.click(within(question).getByRole('button', { name: 'Revoke link' }))
  await waitFor(() => expect(names()).toEqual(['Makerspace screen', 'Client: vase']))
  expect(server.written()).toHaveLength(1)
})

test('links that cannot be had are said, and asked for again', async () => {
  const server = aServer(refuses(listShareLinks, 503))
  const { user } = await dialog()
  const again = await screen.findByRole('button', { name: 'Try again' })
  expect(screen.queryByRole('switch')).toBeNull()
  server.now(answers(listShareLinks, shareLinks))
  await user.click(again)
  await screen.findByRole('switch', { name: /^Share this camera/ })
})

test('in the enterprise edition who has no Pro is told that it takes it, and is shown no links', async () => {
  const scene = { signedIn: true, enterprise: true, pro: false, language: 'en', printers: [] } as const
  const { body } = answer({ ...scene, printers: [] }, 'GET', bootstrap.path)!
  const server = aServer(answers(bootstrap, body as Bootstrap))
  await dialog()
  await screen.findByRole('heading', { name: i18next.t(catalogue.sharingIsPro) })
  expect(screen.queryByRole('switch')).toBeNull()
  expect(server.asked.map(({ path }) => path)).toEqual([bootstrap.path])
})
