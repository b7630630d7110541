import { z } from 'zod'
import { idOf } from '../../../lib/id.ts'
import { text } from '../../../http/texts.ts'
import { defineMail } from '../../people/mail/index.ts'

const say = (key: string, params: Record<string, string> = {}) => text('emails-server', key, params)
const usual = {
  email: 'maria@example.org',
  at: '2026-11-22 20:31 (Europe/Berlin)',
  address: '203.0.113.7',
  printerId: 7,
}

/** A printer was linked to an account, or another agent speaks for one from now on. */
export const printerLinked = defineMail({
  name: 'printer-linked',
  list: 'account_notification',
  schema: z.object({
    email: z.string(),
    at: z.string(),
    address: z.string(),
    printerId: idOf<'printers'>(),
    /** Of one that was linked before. */
    name: z.string().nullable(),
  }),
  samples: { new: { ...usual, name: null }, again: { ...usual, name: 'Voron in the cellar' } },
  write: ({ email, at, address, printerId, name }, { brand, link }) => {
    const key = name === null ? 'linked' : 'relinked'
    return {
      subject: say(`${key}Subject`, { brand: brand.display_name }),
      title: say(`${key}Title`),
      blocks: [
        { kind: 'text', words: say(`${key}Text`, { email, name: name ?? '', brand: brand.display_name }) },
        {
          kind: 'facts',
          facts: [
            [say('factWhen'), at],
            [say('factAddress'), address],
          ],
        },
        { kind: 'buttons', buttons: [{ label: say('linkedButton'), href: link(`/printers/${printerId}/`) }] },
        { kind: 'text', words: say('linkedWarning'), soft: true },
      ],
    }
  },
})
