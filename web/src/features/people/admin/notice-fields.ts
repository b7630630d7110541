import type {
  NoticeAudience,
  NoticeLevel,
  NoticeWrite,
  WrittenNotice,
} from '@vigil/contract/people/notices.ts'

/** A notice as its form has it: texts that may be empty, times of the browser's own clock. */
export interface NoticeFields {
  level: NoticeLevel
  titleEn: string
  titleZh: string
  bodyEn: string
  bodyZh: string
  link: string
  linkEn: string
  linkZh: string
  audience: NoticeAudience
  brand: string
  from: string
  until: string
  dismissible: boolean
}

const pad = (number: number) => String(number).padStart(2, '0')

/** As `<input type="datetime-local">` has it. */
function localOf(iso: string | null): string {
  if (iso === null) return ''
  const at = new Date(iso)
  const day = `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`
  return `${day}T${pad(at.getHours())}:${pad(at.getMinutes())}`
}

const isoOf = (local: string) => (local === '' ? null : new Date(local).toISOString())

/** What the form begins with. */
export const fieldsOf = (notice: WrittenNotice | null): NoticeFields => ({
  level: notice?.level ?? 'info',
  titleEn: notice?.title?.en ?? '',
  titleZh: notice?.title?.zh ?? '',
  bodyEn: notice?.body.en ?? '',
  bodyZh: notice?.body.zh ?? '',
  link: notice?.link_url ?? '',
  linkEn: notice?.link_text?.en ?? '',
  linkZh: notice?.link_text?.zh ?? '',
  audience: notice?.audience ?? 'all',
  brand: notice?.brand ?? '',
  from: localOf(notice?.from ?? null),
  until: localOf(notice?.until ?? null),
  dismissible: notice?.dismissible ?? true,
})

const inBoth = (en: string, zh: string) => (en.trim() === '' && zh.trim() === '' ? null : { en, zh })

/** What the server is told. */
export const noticeOf = (fields: NoticeFields): NoticeWrite => ({
  level: fields.level,
  title: inBoth(fields.titleEn, fields.titleZh),
  body: { en: fields.bodyEn, zh: fields.bodyZh },
  link_url: fields.link.trim() || null,
  link_text: inBoth(fields.linkEn, fields.linkZh),
  audience: fields.audience,
  brand: fields.brand || null,
  from: isoOf(fields.from),
  until: isoOf(fields.until),
  dismissible: fields.dismissible,
})
