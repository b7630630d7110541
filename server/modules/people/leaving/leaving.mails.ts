import { z } from 'zod'
import { text } from '../../../http/texts.ts'
import { defineMail } from '../mail/index.ts'

const say = (key: string, params: Record<string, string> = {}) => text('leaving-server', key, params)

/** An account is closed, and goes: three days to undo it. Always told. */
export const accountGoes = defineMail({
  name: 'account-goes',
  schema: z.object({
    email: z.string(),
    at: z.string(),
    linkId: z.string(),
    /** What prints on, and is watched no more. */
    printing: z.array(z.string()),
  }),
  samples: {
    usual: { email: 'maria@example.org', at: '2026-11-28 20:31 (UTC)', linkId: 'sample', printing: [] },
    printing: {
      email: 'maria@example.org',
      at: '2026-11-28 20:31 (UTC)',
      linkId: 'sample',
      printing: ['Ender: benchy.gcode'],
    },
  },
  write: ({ email, at, linkId, printing }, { brand, link, token }) => ({
    subject: say('goesSubject', { brand: brand.display_name }),
    title: say('goesTitle'),
    blocks: [
      { kind: 'text', words: say('goesText', { email, brand: brand.display_name, at }) },
      ...(printing.length > 0
        ? ([
            { kind: 'box', tone: 'bad', words: say('unwatched') },
            { kind: 'list', items: printing },
          ] as const)
        : []),
      { kind: 'box', tone: 'warn', words: say('goesWarning') },
      {
        kind: 'buttons',
        buttons: [{ label: say('keep'), href: link(`/accounts/keep/${token(linkId)}/`) }],
      },
    ],
  }),
})

/** The archive can be fetched. */
export const archiveReady = defineMail({
  name: 'archive-ready',
  schema: z.object({ email: z.string(), at: z.string() }),
  samples: { usual: { email: 'maria@example.org', at: '2026-11-28 20:31 (UTC)' } },
  write: ({ email, at }, { brand, link }) => ({
    subject: say('readySubject', { brand: brand.display_name }),
    title: say('readyTitle'),
    blocks: [
      { kind: 'text', words: say('readyText', { email, brand: brand.display_name, at }) },
      { kind: 'buttons', buttons: [{ label: say('fetch'), href: link('/user_preferences/delete/') }] },
    ],
  }),
})
