import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { flag, id, orNull, text, timestamp } from '../values.ts'

export const NOTICE_LEVELS = ['info', 'warning', 'error'] as const
export type NoticeLevel = (typeof NOTICE_LEVELS)[number]
export const NOTICE_AUDIENCES = ['all', 'free', 'pro', 'staff'] as const
export type NoticeAudience = (typeof NOTICE_AUDIENCES)[number]

/** docs/wire/rest.md 5, AccountNotice: what whoever runs this server has to say to people, in their language. */
export const accountNotice = z
  .object({
    id: z.int(),
    level: z.enum(NOTICE_LEVELS),
    title: z.string().nullable(),
    /** Paragraphs and line breaks, no other markup. */
    body_html: z.string(),
    /** The same as it was written. */
    body: z.string(),
    link_url: z.string().nullable(),
    link_text: z.string().nullable(),
    dismissible: z.boolean(),
    created_at: timestamp,
    expires_at: timestamp.nullable(),
  })
  .meta({ id: 'AccountNotice' })
export type AccountNotice = z.infer<typeof accountNotice>

const people = ['session', 'oauth'] as const
const path = '/ent/api/messages/'
const one = z.object({ id })

export const listNotices = endpoint({
  method: 'GET',
  path,
  callers: people,
  summary: 'What there is to tell the caller now, and they have not put away; the gravest first',
  query: z.object({ lang: text(64).optional() }),
  response: z.array(accountNotice),
})

export const dismissNotice = endpoint({
  method: 'POST',
  path: `${path}:id/dismiss/`,
  callers: people,
  summary: 'Puts a notice away for good; 403 for one that stays',
  params: one,
  status: 204,
  response: null,
})

const both = (most: number) => z.object({ en: text(most).trim(), zh: text(most).trim() })
/** In both languages, or in none. */
const words = (most: number) => orNull(both(most)).default(null)
const blank = 'This field may not be blank.'
const time = z.iso.datetime({ offset: true, error: 'Enter a valid date and time.' })

/** A notice as an administrator writes it. */
export const noticeWrite = z
  .object({
    level: z.enum(NOTICE_LEVELS),
    title: words(120),
    body: both(2000),
    link_url: orNull(text(500).pipe(z.url({ protocol: /^https?$/, error: 'Enter a valid URL.' }))).default(
      null,
    ),
    link_text: words(60),
    audience: z.enum(NOTICE_AUDIENCES).default('all'),
    /** The brand whose people are meant; null: all. */
    brand: orNull(text(32)).default(null),
    dismissible: flag.default(true),
    /** Null: from now on. */
    from: orNull(time).default(null),
    until: orNull(time).default(null),
  })
  .superRefine(({ title, body, link_url: url, link_text: link, from, until }, refuse) => {
    const wrong = (field: string, message: string) =>
      refuse.addIssue({ code: 'custom', path: [field], message })
    for (const [field, said] of [
      ['title', title],
      ['body', body],
      ['link_text', link],
    ] as const)
      if (said !== null && (said.en === '' || said.zh === '')) wrong(field, blank)
    if ((url === null) !== (link === null)) wrong(url === null ? 'link_url' : 'link_text', blank)
    if (until !== null && Date.parse(until) <= (from === null ? 0 : Date.parse(from)))
      wrong('until', 'This must be later than the beginning.')
  })
export type NoticeWrite = z.input<typeof noticeWrite>

const inBoth = z.object({ en: z.string(), zh: z.string() })

/** The same as it is kept. */
export const writtenNotice = z
  .object({
    id: z.int(),
    level: z.enum(NOTICE_LEVELS),
    title: inBoth.nullable(),
    body: inBoth,
    link_url: z.string().nullable(),
    link_text: inBoth.nullable(),
    audience: z.enum(NOTICE_AUDIENCES),
    brand: z.string().nullable(),
    dismissible: z.boolean(),
    from: timestamp,
    until: timestamp.nullable(),
    created_at: timestamp,
    /** How many have put it away. */
    dismissed: z.int(),
  })
  .meta({ id: 'WrittenNotice' })
export type WrittenNotice = z.infer<typeof writtenNotice>

const callers = ['session'] as const
const base = '/api/v1/admin/notices/'

export const listWrittenNotices = endpoint({
  method: 'GET',
  path: base,
  callers,
  summary: 'All notices, newest first, for administrators',
  response: z.array(writtenNotice),
})

export const writeNotice = endpoint({
  method: 'POST',
  path: base,
  callers,
  summary: 'Writes a notice, in both languages',
  body: noticeWrite,
  status: 201,
  response: writtenNotice,
})

export const rewriteNotice = endpoint({
  method: 'PUT',
  path: `${base}:id/`,
  callers,
  summary: 'Writes a notice anew; who has put it away does not see it again',
  params: one,
  body: noticeWrite,
  response: writtenNotice,
})

export const removeNotice = endpoint({
  method: 'DELETE',
  path: `${base}:id/`,
  callers,
  summary: 'Takes a notice back',
  params: one,
  status: 204,
  response: null,
})
