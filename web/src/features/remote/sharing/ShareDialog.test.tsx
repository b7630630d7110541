import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { bootstrap } from '@vigil/contract/people/accounts.ts'
import { listAddresses } from '@vigil/contract/printers/addresses.ts'
import { deleteShareLink, listShareLinks } from '@vigil/contract/remote/sharing.ts'
import { expect, test } from 'vitest'
import { shareLinks } from '../../../../dev/replies.ts'
import { printers } from '../../../../dev/stub.ts'
import { client } from '../../../app/client.ts'
import { catalogue } from '../../../lib/catalogue.ts'
import { say } from '../../../lib/translation.ts'
import { answers, aServer, booted, refuses } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import { ShareButton } from './ShareButton.tsx'
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

test('a link is given by an address that leads to whom it is sent', async () => {
  const further = [{ address: 'https://vigil.example.org', reach: 'everywhere' as const }]
  aServer(
    answers(listAddresses, { reach: 'machine', further, only_here: false }),
    answers(listShareLinks, shareLinks),
  )
  await dialog()
  await screen.findByRole('note')
  const [link] = screen.getAllByRole('textbox')
  expect(link).toHaveValue(`https://vigil.example.org/printers/share_token/${shareLinks[0]!.share_token}/`)
})

test('an administrator who acts as the owner sees that there are links, and no address', async () => {
  aServer(
    answers(
      listShareLinks,
      shareLinks.map((link) => ({ ...link, share_token: '', url: '' })),
    ),
  )
  await dialog()
  expect(await screen.findAllByText('Only the owner is shown the address of this link.')).toHaveLength(3)
  expect(screen.queryByRole('button', { name: 'Copy link' })).toBeNull()
  expect(screen.getByRole('button', { name: 'Revoke Default link' })).toBeVisible()
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

test('where the operator has switched sharing off no button leads to it', async () => {
  const shown = booted({})
  const server = aServer(answers(bootstrap, shown))
  await show(<ShareButton printer={printers()[0]!} />)
  await screen.findByRole('button', { name: /^Share the camera of/ })
  cleanup()

  client.clear()
  server.now(answers(bootstrap, { ...shown, settings: { ...shown.settings, SHARING_ENABLED: false } }))
  await show(
    <>
      <ShareButton printer={printers()[0]!} />
      <p>The rest</p>
    </>,
  )
  await screen.findByText('The rest')
  expect(screen.queryByRole('button')).toBeNull()
})

test('in the enterprise edition who has no Pro is told that it takes it, and is shown no links', async () => {
  const server = aServer(answers(bootstrap, booted({ enterprise: true, pro: false })))
  await dialog()
  await screen.findByRole('heading', { name: say(catalogue.sharingIsPro) })
  expect(screen.queryByRole('switch')).toBeNull()
  expect(server.asked.map(({ path }) => path)).toEqual([bootstrap.path])
})
