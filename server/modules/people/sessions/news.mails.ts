import { KEY_SCOPES } from '@vigil/contract/endpoint.ts'
import { z } from 'zod'
import { text } from '../../../http/texts.ts'
import { defineMail } from '../mail/index.ts'

const say = (key: string, params: Record<string, string> = {}) => text('emails-server', key, params)
const list = 'account_notification'

/** Somebody signed in from a browser that the account was never signed in from. */
export const newSignIn = defineMail({
  name: 'new-sign-in',
  list,
  schema: z.object({ email: z.string(), at: z.string(), browser: z.string(), address: z.string() }),
  samples: {
    usual: {
      email: 'maria@example.org',
      at: '2026-11-22 20:31 (Europe/Berlin)',
      browser: 'Firefox, Linux',
      address: '203.0.113.7',
    },
    unknown: {
      email: 'maria@example.org',
      at: '2026-11-22 20:31 (UTC)',
      browser: '',
      address: '2001:db8::7',
    },
  },
  write: ({ email, at, browser, address }, { brand, link }) => ({
    subject: say('signInSubject', { brand: brand.display_name }),
    title: say('signInTitle'),
    blocks: [
      { kind: 'text', words: say('signInText', { email, brand: brand.display_name }) },
      {
        kind: 'facts',
        facts: [
          [say('factWhen'), at],
          [say('factBrowser'), browser === '' ? say('unknownBrowser') : browser],
          [say('factAddress'), address],
        ],
      },
      { kind: 'text', words: say('signInYou'), soft: true },
      { kind: 'box', tone: 'warn', words: say('signInWarning') },
      { kind: 'buttons', buttons: [{ label: say('resetButton'), href: link('/accounts/password/reset/') }] },
    ],
  }),
})

/** A program may act for somebody from now on: one that was let in, or one that has a key. */
export const accessGiven = defineMail({
  name: 'access-given',
  list,
  schema: z.object({
    email: z.string(),
    at: z.string(),
    kind: z.enum(['app', 'key']),
    name: z.string(),
    /** Of a key that is for more than slicers. */
    scope: z.enum(KEY_SCOPES).optional(),
  }),
  samples: {
    app: {
      email: 'maria@example.org',
      at: '2026-11-22 20:31 (Europe/Berlin)',
      kind: 'app',
      name: 'OrcaSlicer',
    },
    key: {
      email: 'maria@example.org',
      at: '2026-11-22 20:31 (Europe/Berlin)',
      kind: 'key',
      name: 'Workshop PC',
    },
    'far-key': {
      email: 'maria@example.org',
      at: '2026-11-22 20:31 (Europe/Berlin)',
      kind: 'key',
      name: 'Home automation',
      scope: 'operate',
    },
  },
  write: ({ email, at, kind, name, scope }, { brand, link }) => ({
    subject: say(`${kind}Subject`, { brand: brand.display_name }),
    title: say(`${kind}Title`),
    blocks: [
      { kind: 'text', words: say(`${scope ?? kind}Text`, { email, brand: brand.display_name }) },
      {
        kind: 'facts',
        facts: [
          [say('factName'), name],
          [say('factWhen'), at],
        ],
      },
      { kind: 'box', tone: 'warn', words: say('accessWarning') },
      {
        kind: 'buttons',
        buttons: [{ label: say('accessButton'), href: link('/user_preferences/authorized_apps/') }],
      },
    ],
  }),
})
