import { screen, waitFor, within } from '@testing-library/react'
import {
  countDisk,
  getSystem,
  type Job,
  listJobs,
  listOwed,
  type Owed,
  retryJob,
  retryOwed,
  sendTestMail,
  type System,
} from '@vigil/contract/people/operations.ts'
import { changeBrand, getSite, resetBrand, type Site, turnFlag } from '@vigil/contract/people/site.ts'
import { expect, test } from 'vitest'
import { BRANDS } from '../../../../dev/replies.ts'
import { answers, aServer } from '../../../../test/server.ts'
import { show } from '../../../../test/show.tsx'
import { contrast } from './brand-colors.ts'
import JobsScreen from './JobsScreen.tsx'
import SiteScreen from './SiteScreen.tsx'
import SystemScreen from './SystemScreen.tsx'

const at = new Date().toISOString()
const site = (more: Partial<Site> = {}): Site => ({
  is_enterprise: false,
  brands: [{ shown: BRANDS.base, hosts: [], email_from: null, is_changed: false }],
  flags: [{ name: 'SHARING_ENABLED', value: true, usual: true, is_changed: false }],
  ...more,
})

test('features are turned on, off, and left to their setting', async () => {
  const turned = site({ flags: [{ name: 'SHARING_ENABLED', value: false, usual: true, is_changed: true }] })
  const server = aServer(answers(getSite, site()), answers(turnFlag, turned))
  const { user } = await show(<SiteScreen />)
  const choice = await screen.findByRole('combobox', { name: /shared by links/ })
  expect(choice).toHaveDisplayValue('Default (On)')
  await user.selectOptions(choice, 'Off')
  await waitFor(() => expect(choice).toHaveDisplayValue('Off'))
  await user.selectOptions(choice, 'Default (On)')
  await waitFor(() =>
    expect(server.written().map(({ body }) => body)).toEqual([{ value: false }, { value: null }]),
  )
})

test('a brand is dressed anew, seen before in both themes, and reset', async () => {
  const shown = { ...BRANDS.base, display_name: 'Ours' }
  const changed = site({ brands: [{ shown, hosts: ['x.org'], email_from: null, is_changed: true }] })
  const server = aServer(answers(getSite, site()), answers(changeBrand, changed), answers(resetBrand, site()))
  const { user } = await show(<SiteScreen />)
  const name = await screen.findByRole('textbox', { name: 'Name' })
  await user.clear(name)
  await user.type(name, 'Ours')
  await user.click(screen.getByRole('checkbox', { name: 'Colours of its own' }))
  const words = screen.getAllByRole('textbox', { name: 'On the accent' })[0]!
  await user.clear(words)
  await user.type(words, '#3344cc')
  const preview = screen.getByRole('region', { name: 'Preview of Ours' })
  expect(within(preview).getAllByText('Ours')).toHaveLength(2)
  expect(within(preview).getByRole('alert')).toHaveTextContent(/hard to read/)
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(server.written()[0]!.body).toMatchObject({ display_name: 'Ours', docs: expect.anything() }),
  )
  await user.click(await screen.findByRole('button', { name: 'As its file has it' }))
  const question = await screen.findByRole('dialog', { name: 'Undo all changes of Ours?' })
  await user.click(within(question).getByRole('button', { name: 'As its file has it' }))
  await waitFor(() => expect(server.written()[1]?.method).toBe('DELETE'))
})

test('of several brands one is dressed at a time', async () => {
  const other = { ...BRANDS.base, name: 'other', display_name: 'The other' }
  const brands = [
    { shown: BRANDS.base, hosts: [], email_from: null, is_changed: false },
    { shown: other, hosts: ['other.example.org'], email_from: null, is_changed: false },
  ]
  aServer(answers(getSite, site({ brands })))
  const { user } = await show(<SiteScreen />)
  expect(await screen.findByRole('textbox', { name: 'Name' })).toHaveValue(BRANDS.base.display_name)
  await user.click(screen.getByRole('button', { name: /^The other other\.example\.org/ }))
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('The other')
})

test('contrast is as WCAG has it', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

const job: Job = {
  id: 'a',
  kind: 'mail',
  state: 'failed',
  tries: 3,
  created_at: at,
  next_at: null,
  reason: 'Error: no room',
}
const owed: Owed = {
  id: 'd7',
  channel: 'ntfy',
  kind: 'PrintDone',
  person: { id: 7, email: 'ada@example.org' },
  state: 'refused',
  tries: 2,
  created_at: at,
  next_at: null,
  reason: '403 Forbidden',
  can_retry: true,
}

test('jobs and messages say why they failed, and are tried again', async () => {
  const server = aServer(
    answers(listJobs, ({ query }) => ({
      jobs: query['state'] === 'failed' ? [job] : [],
      counts: { open: 0, failed: 1 },
    })),
    answers(listOwed, ({ query }) => ({
      owed: query['state'] === 'failed' ? [owed] : [],
      counts: { waiting: 0, failed: 1 },
    })),
    answers(retryJob, null),
    answers(retryOwed, null),
  )
  const { user } = await show(<JobsScreen />)
  expect(await screen.findAllByText('Nothing waits.')).toHaveLength(2)
  await user.click(screen.getByRole('radio', { name: 'Failed for good 1' }))
  expect(await screen.findByText('Error: no room')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Try now: mail' }))
  await user.click(screen.getByRole('radio', { name: 'Not delivered 1' }))
  expect(await screen.findByText('403 Forbidden')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Send now: PrintDone to ada@example.org' }))
  await waitFor(() =>
    expect(server.written().map(({ path }) => path)).toEqual([
      '/api/v1/admin/jobs/a/retry/',
      '/api/v1/admin/outbox/d7/retry/',
    ]),
  )
})

test('a letter to try mail tells what the mail server said', async () => {
  aServer(
    answers(listJobs, { jobs: [], counts: { open: 0, failed: 0 } }),
    answers(listOwed, { owed: [], counts: { waiting: 0, failed: 0 } }),
    answers(sendTestMail, { accepted: false, said: '550 no such mailbox' }),
  )
  const { user } = await show(<JobsScreen />)
  await user.click(await screen.findByRole('button', { name: 'Send' }))
  expect(await screen.findByText('It was not taken: 550 no such mailbox')).toBeVisible()
})

test('the system says how the detector does and what the disk holds, and counts it', async () => {
  const system: System = {
    detector: {
      state: 'down',
      error: 'the model is missing',
      model: 'vigil-strands-8',
      queued: 4,
      pictures_per_second: 1.234,
      delay_seconds: 0.5,
      slow_delay_seconds: 1,
    },
    disk: {
      free_bytes: 1_073_741_824,
      is_full: false,
      database_bytes: 1_048_576,
      counted_at: null,
      is_counting: false,
      kinds: [
        { kind: 'tsd-pics/raw', files: 2, bytes: 1_048_576 },
        { kind: 'tsd-pics/odd', files: 1, bytes: 1024 },
      ],
      keep_free_bytes: 1_073_741_824,
      pictures_limit_bytes: 2_147_483_648,
      films_limit_bytes: null,
      full_at: null,
      freed: { at: '2026-11-21T03:40:00Z', pictures: 3, films: 0, bytes: 1_048_576, is_scarce: true },
    },
    backup: {
      is_nightly: true,
      done_at: null,
      bytes: 0,
      place: null,
      failed_at: '2026-11-21T03:40:00Z',
      reason: 'There is no folder /mnt/usb.',
    },
  }
  const counting = { ...system, disk: { ...system.disk, is_counting: true } }
  aServer(answers(getSystem, system), answers(countDisk, counting))
  const { user } = await show(<SystemScreen />)
  expect(await screen.findByText('the model is missing')).toBeVisible()
  expect(screen.getByText('Pictures of prints')).toBeVisible()
  expect(screen.getByText('tsd-pics/odd')).toBeVisible()
  expect(screen.getByText('Stored files were not counted yet.')).toBeVisible()
  expect(screen.getByText(/^The backup failed .*: There is no folder \/mnt\/usb\.$/)).toBeVisible()
  expect(screen.getByText('None yet')).toBeVisible()
  expect(screen.getByText(/prints without their pictures: 3; films: 0$/)).toBeVisible()
  expect(screen.getByText(/too little all the same/)).toBeVisible()
  expect(screen.getByText('Not before long')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Count now' }))
  expect(await screen.findByText('They are being counted.')).toBeVisible()
})
