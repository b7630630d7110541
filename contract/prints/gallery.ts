import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { choice, id, integer, page, text, timestamp } from '../values.ts'

/** docs/wire/rest.md 5, PublicTimelapse: a copy of a print's time-lapse that everybody may see. */
export const publicTimelapse = z
  .object({
    id: z.int(),
    creator_name: z.string(),
    /** JSON: `[{"p": 0..1}, …]`, one for each picture of the film; empty when nothing is known. */
    p_json_url: z.string(),
    video_url: z.string(),
    poster_url: z.string().nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'PublicTimelapse' })
export type PublicTimelapse = z.infer<typeof publicTimelapse>

/** So many are shown, however many are public. */
export const MOST_PUBLIC = 120

export const listPublicTimelapses = endpoint({
  method: 'GET',
  path: '/ent/api/publictimelapse/',
  callers: ['anyone'],
  summary: 'The public gallery: time-lapses that their owners offered and an administrator accepted',
  query: z.object(page(MOST_PUBLIC, MOST_PUBLIC)),
  response: z.array(publicTimelapse),
})

const states = ['offered', 'accepted', 'public', 'refused', 'removed'] as const

/** How a print stands with the public gallery, for its owner. */
export const galleryOffer = z
  .object({
    print_id: z.int(),
    /** `accepted`: its copies are being made. `refused`, `removed`: an administrator said so, and why. */
    state: z.enum(['none', ...states]),
    creator_name: z.string().nullable(),
    reason: z.string().nullable(),
    offered_at: timestamp.nullable(),
    public_at: timestamp.nullable(),
    /** Why it can't be offered now; null when it can. */
    obstacle: z.enum(['no_video', 'too_many', 'decided']).nullable(),
  })
  .meta({ id: 'GalleryOffer' })
export type GalleryOffer = z.infer<typeof galleryOffer>

const people = ['session', 'oauth'] as const
const offerPath = '/api/v1/prints/:id/gallery/'
const params = z.object({ id })

/** Line breaks, other controls, and marks that turn the direction of what follows. */
const ODD = /[\p{Cc}\u2028-\u202e\u2066-\u2069]{1,1000}/gu

/** The name that becomes public: one line. */
export const creatorName = text(1000)
  .transform((name) =>
    name
      .replace(ODD, ' ')
      .replace(/\s{1,1000}/g, ' ')
      .trim(),
  )
  .pipe(z.string().min(1, 'This field may not be blank.').max(60))

export const getGalleryOffer = endpoint({
  method: 'GET',
  path: offerPath,
  callers: people,
  summary: 'How a print stands with the public gallery',
  params,
  response: galleryOffer,
})

/** Once public, the name stays as it is: withdraw, and offer anew. */
export const putGalleryOffer = endpoint({
  method: 'PUT',
  path: offerPath,
  callers: people,
  summary: 'Offer a time-lapse to the public gallery, under a name of the owner’s choice',
  params,
  body: z.object({ creator_name: creatorName, consent: z.literal(true) }),
  response: galleryOffer,
})

export const deleteGalleryOffer = endpoint({
  method: 'DELETE',
  path: offerPath,
  callers: people,
  summary: 'Withdraw a time-lapse from the public gallery: its copies are gone at once',
  params,
  response: galleryOffer,
})

/** An offered time-lapse, for an administrator. */
export const galleryEntry = z
  .object({
    id: z.int(),
    /** Of what would become public, as it is now: a decision to accept names it. */
    version: z.string(),
    state: z.enum(states),
    creator_name: z.string(),
    priority: z.int(),
    reason: z.string().nullable(),
    /** Why its copies could not be made. */
    problem: z.string().nullable(),
    offered_at: timestamp,
    decided_at: timestamp.nullable(),
    public_at: timestamp.nullable(),
    video_url: z.string().nullable(),
    poster_url: z.string().nullable(),
    prediction_json_url: z.string().nullable(),
  })
  .meta({ id: 'GalleryEntry' })
export type GalleryEntry = z.infer<typeof galleryEntry>

export const listGalleryEntries = endpoint({
  method: 'GET',
  path: '/api/v1/gallery/entries/',
  callers: ['session'],
  summary: 'Offered time-lapses, for administrators',
  query: z.object({ state: choice(states, 'offered'), ...page(24, 100) }),
  response: z.object({
    entries: z.array(galleryEntry),
    counts: z.record(z.enum(states), z.int()),
  }),
})

/** `accept` also takes back a refusal; `refuse` and `take_down` say why. What was withdrawn meanwhile, or is not what was seen any more, answers 409. */
export const decideGalleryEntry = endpoint({
  method: 'PATCH',
  path: '/api/v1/gallery/entries/:id/',
  callers: ['session'],
  summary: 'Accept, refuse or take down an offered time-lapse, or move it, as an administrator',
  params,
  body: z
    .object({
      decision: z.enum(['accept', 'refuse', 'take_down']).optional(),
      reason: text(500).trim().default(''),
      priority: integer(0, 1000).optional(),
      /** Which version was seen; needed to accept. */
      version: text(100).optional(),
    })
    .superRefine(({ decision, reason, version }, refuse) => {
      if (decision === 'accept' && version === undefined)
        refuse.addIssue({ code: 'custom', path: ['version'], message: 'This field is required.' })
      if ((decision === 'refuse' || decision === 'take_down') && reason === '')
        refuse.addIssue({ code: 'custom', path: ['reason'], message: 'This field may not be blank.' })
    }),
  response: galleryEntry,
})
