import { z } from 'zod'
import { text } from '../../../http/texts.ts'
import { defineMail } from '../../people/mail/index.ts'

const say = (key: string, params: Record<string, string | number> = {}) => text('letters-server', key, params)

const LETTERS = [
  'trial_began',
  'plan_began',
  'plan_changed',
  'plan_cancelled',
  'plan_resumed',
  'plan_over',
  'payment_failed',
] as const

/** A plan began, changed or ended. Always told. */
export const planStep = defineMail({
  name: 'plan-step',
  schema: z.object({
    letter: z.enum(LETTERS),
    plan: z.string(),
    until: z.string(),
    /** So many printers the Free plan has in use. */
    free: z.int().default(1),
  }),
  samples: Object.fromEntries(
    LETTERS.map((letter) => [letter, { letter, plan: 'Pro', until: '2026-12-26 10:00 (UTC)', free: 1 }]),
  ),
  write: ({ letter, plan, until, free }, { brand, link }) => ({
    subject: say(`${letter}Subject`, { brand: brand.display_name, plan }),
    title: say(`${letter}Title`, { plan }),
    blocks: [
      { kind: 'text', words: say(letter, letter === 'plan_over' ? { count: free } : { plan, until }) },
      {
        kind: 'buttons',
        buttons: [{ label: say('see'), href: link('/user_preferences/subscription/') }],
      },
    ],
  }),
})

/** Few hours of detection are left, or none: once each. Always told. */
export const hoursLow = defineMail({
  name: 'hours-low',
  schema: z.object({ what: z.enum(['low', 'out']), hours: z.string() }),
  samples: { low: { what: 'low', hours: '9.5' }, out: { what: 'out', hours: '-0.2' } },
  write: ({ what, hours }, { brand, link }) => ({
    subject: say(`${what}Subject`, { brand: brand.display_name }),
    title: say(`${what}Title`),
    blocks: [
      { kind: 'box', tone: what === 'out' ? 'bad' : 'warn', words: say(what, { hours }) },
      { kind: 'buttons', buttons: [{ label: say('seeHours'), href: link('/user_preferences/dh/') }] },
    ],
  }),
})
