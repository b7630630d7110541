import { screen, waitFor, within } from '@testing-library/react'
import { bootstrap } from '@vigil/contract/people/accounts.ts'
import {
  decideGalleryEntry,
  deleteGalleryOffer,
  type GalleryEntry,
  type GalleryOffer,
  getGalleryOffer,
  listGalleryEntries,
  putGalleryOffer,
} from '@vigil/contract/prints/gallery.ts'
import { expect, test } from 'vitest'
import { answer } from '../../../../dev/stub.ts'
import { answers, aServer } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import type { Bootstrap } from '../../../lib/session.ts'
import ModerationScreen from './ModerationScreen.tsx'
import { OfferToGallery } from './OfferToGallery.tsx'

const MARKUP = '<b>Ada</b> & co'
const film = {
  video_url: null,
  tagged_video_url: null,
  poster_url: null,
  prediction_json_url: '/media/scores.json',
}

test('a time-lapse is offered under a name, with consent alone, and withdrawn after a question', async () => {
  let standing: GalleryOffer = {
    print_id: 5,
    state: 'none',
    creator_name: null,
    reason: null,
    offered_at: null,
    public_at: null,
    obstacle: null,
  }
  const { body } = answer(
    { signedIn: true, enterprise: true, language: 'en', printers: [] },
    'GET',
    bootstrap.path,
  )!
  const server = aServer(
    answers(bootstrap, body as Bootstrap),
    answers(getGalleryOffer, () => standing),
    answers(putGalleryOffer, ({ body: said }) => {
      standing = { ...standing, state: 'offered', creator_name: (said as GalleryOffer).creator_name }
      return standing
    }),
    answers(deleteGalleryOffer, () => (standing = { ...standing, state: 'none', creator_name: null })),
  )
  const { user } = await show(<OfferToGallery print={{ id: 5, ...film }} />)
  await user.click(await screen.findByRole('button', { name: 'Offer to the gallery…' }))
  const dialog = await screen.findByRole('dialog')
  const name = within(dialog).getByRole('textbox', { name: 'Name of the creator' })
  await user.clear(name)
  await user.type(name, MARKUP)
  expect(within(dialog).getByRole('region', { name: 'This is what everybody will see' })).toHaveTextContent(
    `- By ${MARKUP}`,
  )
  const send = within(dialog).getByRole('button', { name: 'Offer to the gallery' })
  expect(send).toBeDisabled()
  await user.click(within(dialog).getByRole('checkbox', { name: /^I made this print/ }))
  await user.click(send)
  await screen.findByText(`Offered under the name ${MARKUP}.`, { exact: false })
  expect(server.written()).toMatchObject([{ method: 'PUT', body: { creator_name: MARKUP, consent: true } }])

  await user.click(screen.getByRole('button', { name: 'Withdraw' }))
  await user.click(await screen.findByRole('button', { name: 'Withdraw it' }))
  await screen.findByText(/^Show this time-lapse to everybody/)
  expect(server.written()).toMatchObject([{ method: 'PUT' }, { method: 'DELETE' }])
})

const at = new Date().toISOString()
const entry = (id: number, more: Partial<GalleryEntry> = {}): GalleryEntry => ({
  id,
  version: `version ${id}`,
  state: 'offered',
  creator_name: `Maker ${id}`,
  priority: 0,
  reason: null,
  problem: null,
  offered_at: at,
  decided_at: null,
  public_at: null,
  video_url: '/media/film.mp4',
  poster_url: null,
  prediction_json_url: null,
  ...more,
})

test('an administrator accepts what was seen, refuses with a reason, and moves what is public', async () => {
  let entries = [entry(1), entry(2), entry(3, { state: 'public', public_at: at })]
  const count = (state: GalleryEntry['state']) => entries.filter((one) => one.state === state).length
  const server = aServer(
    answers(listGalleryEntries, ({ query }) => ({
      entries: entries.filter(({ state }) => state === (query['state'] ?? 'offered')),
      counts: {
        offered: count('offered'),
        accepted: count('accepted'),
        public: count('public'),
        refused: count('refused'),
        removed: 0,
      },
    })),
    answers(decideGalleryEntry, ({ path, body }) => {
      const before = entries.find(({ id }) => path.endsWith(`/${id}/`))!
      const { decision, priority } = body as { decision?: string; priority?: number }
      const state = decision === undefined ? before.state : decision === 'accept' ? 'accepted' : 'refused'
      const after: GalleryEntry = { ...before, state, priority: priority ?? before.priority }
      entries = entries.map((one) => (one.id === before.id ? after : one))
      return after
    }),
  )
  const { user } = await show(<ModerationScreen />)
  const card = (name: string) => screen.getByText(`- By ${name}`).closest('article')!
  const gone = (name: string) => waitFor(() => expect(screen.queryByText(`- By ${name}`)).toBeNull())
  await screen.findByText('- By Maker 1')
  await user.click(within(card('Maker 1')).getByRole('button', { name: 'Refuse…' }))
  const dialog = await screen.findByRole('dialog', { name: 'Refuse the time-lapse by Maker 1?' })
  const refuse = within(dialog).getByRole('button', { name: 'Refuse it' })
  expect(refuse).toBeDisabled()
  await user.type(within(dialog).getByRole('textbox', { name: 'Reason' }), 'A face is seen.')
  await user.click(refuse)
  await gone('Maker 1')
  await user.click(within(card('Maker 2')).getByRole('button', { name: 'Accept' }))
  await gone('Maker 2')

  await user.click(screen.getByRole('radio', { name: 'Public 1' }))
  await screen.findByText('- By Maker 3')
  const priority = within(card('Maker 3')).getByRole('textbox', { name: 'Priority' })
  await user.clear(priority)
  await user.type(priority, '9{Enter}')
  await waitFor(() =>
    expect(server.written().map(({ body }) => body)).toEqual([
      { decision: 'refuse', reason: 'A face is seen.' },
      { decision: 'accept', version: 'version 2' },
      { priority: 9 },
    ]),
  )
})
