import { z } from 'zod'
import { text } from '../../../http/texts.ts'
import { defineMail } from '../mail/index.ts'

const say = (key: string, params: Record<string, string> = {}) => text('emails-server', key, params)

/** The link to choose a new password; goes to the address that was asked for. */
export const resetPassword = defineMail({
  name: 'reset-password',
  schema: z.object({ email: z.string(), uid: z.string(), linkId: z.string() }),
  samples: { usual: { email: 'maria@example.org', uid: 'a', linkId: 'sample' } },
  write: ({ email, uid, linkId }, { brand, link, token }) => ({
    subject: say('resetSubject', { brand: brand.display_name }),
    title: say('resetTitle'),
    blocks: [
      { kind: 'text', words: say('resetText', { email, brand: brand.display_name }) },
      {
        kind: 'buttons',
        buttons: [
          { label: say('resetButton'), href: link(`/accounts/password/reset/key/${uid}-${token(linkId)}/`) },
        ],
      },
      { kind: 'text', words: say('resetEnds'), soft: true },
      { kind: 'text', words: say('resetNotYou'), soft: true },
    ],
  }),
})

/** Tells the owner of an account that its password is another one. */
export const passwordChanged = defineMail({
  name: 'password-changed',
  schema: z.object({ email: z.string() }),
  samples: { usual: { email: 'maria@example.org' } },
  write: ({ email }, { brand, link }) => ({
    subject: say('changedSubject', { brand: brand.display_name }),
    title: say('changedTitle'),
    blocks: [
      { kind: 'text', words: say('changedText', { email, brand: brand.display_name }) },
      { kind: 'box', tone: 'warn', words: say('changedWarning') },
      { kind: 'buttons', buttons: [{ label: say('resetButton'), href: link('/accounts/password/reset/') }] },
    ],
  }),
})

/** Tells the owner of an account that somebody, perhaps they themselves, has signed up with its address. */
export const signedUpAgain = defineMail({
  name: 'signed-up-again',
  schema: z.object({ email: z.string() }),
  samples: { usual: { email: 'maria@example.org' } },
  write: ({ email }, { brand, link }) => ({
    subject: say('againSubject', { brand: brand.display_name }),
    title: say('againTitle'),
    blocks: [
      { kind: 'text', words: say('againText', { email, brand: brand.display_name }) },
      { kind: 'buttons', buttons: [{ label: say('againButton'), href: link('/accounts/login/') }] },
      {
        kind: 'buttons',
        buttons: [{ label: say('resetButton'), href: link('/accounts/password/reset/'), quiet: true }],
      },
      { kind: 'text', words: say('againNotYou'), soft: true },
    ],
  }),
})
