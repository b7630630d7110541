import { z } from 'zod'
import { text } from '../../../http/texts.ts'
import { defineMail } from '../mail/index.ts'

const say = (key: string, params: Record<string, string> = {}) => text('security-server', key, params)

const kinds = [
  'totpAdded',
  'totpRemoved',
  'passkeyAdded',
  'passkeyRemoved',
  'codesRenewed',
  'codeUsed',
  'resetDone',
  'identityAdded',
  'identityRemoved',
] as const
export type FactorNews = (typeof kinds)[number]

/** The ways into an account are others from now on. Always told. */
export const factorsChanged = defineMail({
  name: 'factors-changed',
  schema: z.object({ email: z.string(), kind: z.enum(kinds), name: z.string() }),
  samples: {
    app: { email: 'maria@example.org', kind: 'totpAdded', name: '' },
    passkey: { email: 'maria@example.org', kind: 'passkeyRemoved', name: 'Laptop' },
    used: { email: 'maria@example.org', kind: 'codeUsed', name: '' },
    provider: { email: 'maria@example.org', kind: 'identityAdded', name: 'Google' },
    reset: { email: 'maria@example.org', kind: 'resetDone', name: '' },
  },
  write: ({ email, kind, name }, { brand, link }) => ({
    subject: say(kind, { name }),
    title: say(kind, { name }),
    blocks: [
      { kind: 'text', words: say('mailAccount', { email, brand: brand.display_name }) },
      { kind: 'box', tone: 'warn', words: say('mailWarning') },
      {
        kind: 'buttons',
        buttons: [{ label: say('mailButton'), href: link('/user_preferences/security/') }],
      },
    ],
  }),
})

/** Somebody has asked an administrator to remove the factors: a day to object. Always told. */
export const resetAsked = defineMail({
  name: 'factors-reset',
  schema: z.object({ email: z.string(), at: z.string(), linkId: z.string() }),
  samples: { usual: { email: 'maria@example.org', at: '2026-11-25 20:31 (UTC)', linkId: 'sample' } },
  write: ({ email, at, linkId }, { brand, link, token }) => ({
    subject: say('resetSubject', { brand: brand.display_name }),
    title: say('resetTitle'),
    blocks: [
      { kind: 'text', words: say('resetText', { email, brand: brand.display_name, at }) },
      { kind: 'box', tone: 'warn', words: say('resetWarning') },
      {
        kind: 'buttons',
        buttons: [{ label: say('keep'), href: link(`/accounts/factors/keep/${token(linkId)}/`) }],
      },
    ],
  }),
})
