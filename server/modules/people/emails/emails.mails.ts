import { z } from 'zod'
import { text } from '../../../http/texts.ts'
import { defineMail } from '../mail/index.ts'

const say = (key: string, params: Record<string, string> = {}) => text('emails-server', key, params)

/** The link that confirms an address; goes to that address. */
export const confirmAddress = defineMail({
  name: 'confirm-address',
  schema: z.object({ email: z.string(), linkId: z.string() }),
  samples: { usual: { email: 'maria@example.org', linkId: 'sample' } },
  write: ({ email, linkId }, { brand, link, token }) => ({
    subject: say('confirmSubject', { brand: brand.display_name }),
    title: say('confirmTitle'),
    blocks: [
      { kind: 'text', words: say('confirmText', { email, brand: brand.display_name }) },
      {
        kind: 'buttons',
        buttons: [{ label: say('confirmButton'), href: link(`/accounts/confirm-email/${token(linkId)}/`) }],
      },
      { kind: 'text', words: say('confirmEnds'), soft: true },
      { kind: 'text', words: say('notYou'), soft: true },
    ],
  }),
})

/** Tells a user's other addresses that one more is theirs. */
export const addressConfirmed = defineMail({
  name: 'address-confirmed',
  list: 'account_notification',
  schema: z.object({ email: z.string(), added: z.string() }),
  samples: { usual: { email: 'maria@example.org', added: 'maria@example.net' } },
  write: ({ email, added }, { brand, link }) => ({
    subject: say('addedSubject', { brand: brand.display_name }),
    title: say('addedTitle'),
    blocks: [
      { kind: 'text', words: say('addedText', { email, added, brand: brand.display_name }) },
      { kind: 'box', tone: 'warn', words: say('addedWarning') },
      { kind: 'buttons', buttons: [{ label: say('addedButton'), href: link('/accounts/email/') }] },
    ],
  }),
})

/** Tells the old address that another one is signed in with from now on. */
export const primaryChanged = defineMail({
  name: 'primary-changed',
  schema: z.object({ before: z.string(), after: z.string() }),
  samples: { usual: { before: 'maria@example.org', after: 'maria@example.net' } },
  write: ({ before, after }, { brand, link }) => ({
    subject: say('primarySubject', { brand: brand.display_name }),
    title: say('primaryTitle'),
    blocks: [
      { kind: 'text', words: say('primaryText', { brand: brand.display_name }) },
      {
        kind: 'facts',
        facts: [
          [say('before'), before],
          [say('after'), after],
        ],
      },
      { kind: 'box', tone: 'warn', words: say('primaryWarning') },
      { kind: 'buttons', buttons: [{ label: say('resetButton'), href: link('/accounts/password/reset/') }] },
    ],
  }),
})
