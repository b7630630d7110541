import { HOUSEHOLD_ROLES } from '@vigil/contract/people/household.ts'
import { z } from 'zod'
import { text } from '../../../http/texts.ts'
import { defineMail } from '../mail/index.ts'

const say = (key: string, params: Record<string, string> = {}) => text('household-server', key, params)

/** Somebody is invited to an account's printers. It goes to an address, not to an account: there may be none. */
export const invitationMail = defineMail({
  name: 'household-invitation',
  schema: z.object({ from: z.string(), role: z.enum(HOUSEHOLD_ROLES), linkId: z.string() }),
  samples: {
    viewer: { from: 'Maria', role: 'viewer', linkId: 'x' },
    operator: { from: 'Maria', role: 'operator', linkId: 'x' },
    owner: { from: 'Maria', role: 'owner', linkId: 'x' },
  },
  write: ({ from, role, linkId }, { brand, link, token }) => ({
    subject: say('inviteSubject', { from, brand: brand.display_name }),
    title: say('inviteTitle'),
    blocks: [
      { kind: 'text', words: say(`invite.${role}`, { from, brand: brand.display_name }) },
      {
        kind: 'buttons',
        buttons: [{ label: say('inviteButton'), href: link(`/invitation/#key=${token(linkId)}`) }],
      },
      { kind: 'text', words: say('inviteWeek'), soft: true },
    ],
  }),
})

/** Somebody has come into the household, or is out of it. */
export const householdNews = defineMail({
  name: 'household-news',
  list: 'account_notification',
  schema: z.object({ what: z.enum(['joined', 'left', 'removed']), name: z.string(), account: z.string() }),
  samples: {
    joined: { what: 'joined', name: 'Ada Example', account: 'Maria' },
    left: { what: 'left', name: 'Ada Example', account: 'Maria' },
    removed: { what: 'removed', name: 'Ada Example', account: 'Maria' },
  },
  write: ({ what, name, account }, { brand, link }) => ({
    subject: say(`${what}Subject`, { name, account, brand: brand.display_name }),
    title: say(`${what}Title`),
    blocks: [
      { kind: 'text', words: say(`${what}Text`, { name, account }) },
      {
        kind: 'buttons',
        buttons: [{ label: say('openButton'), href: link('/user_preferences/household/') }],
      },
    ],
  }),
})
