import type { z } from 'zod'
import type { Brand } from '../../../brands/brands.ts'
import type { Text } from '../../../http/texts.ts'

/** Words as they stand, or a text that becomes words in the reader's language. What people named themselves is a string. */
export type Words = string | Text

/** Where a button leads ('' for nowhere: it is left out); `quiet` for all but the one that matters. */
export interface MailButton {
  readonly label: Words
  readonly href: string
  readonly quiet?: boolean
}

/** A part of a letter, drawn as HTML and as plain text. Nothing in it is markup. */
export type MailBlock =
  | { readonly kind: 'text'; readonly words: Words; readonly soft?: boolean }
  | { readonly kind: 'buttons'; readonly buttons: readonly MailButton[] }
  /** `src` is an address, or `cid:` and what the attachment is called. */
  | { readonly kind: 'picture'; readonly src: string; readonly alt: Words }
  | { readonly kind: 'facts'; readonly facts: readonly (readonly [label: Words, value: Words])[] }
  | { readonly kind: 'list'; readonly title?: Words; readonly items: readonly Words[] }
  | { readonly kind: 'box'; readonly tone: 'good' | 'warn' | 'bad'; readonly words: Words }

/** What a template makes of its data. */
export interface Written {
  readonly subject: Words
  /** The heading, larger than the rest. */
  readonly title: Words
  readonly blocks: readonly MailBlock[]
}

/** What a template may use beside its data. */
export interface MailFrame {
  readonly brand: Brand
  /** A path of ours (`/printers/`) as an address that leads here from outside; '' where nobody has said which. */
  link(path: string): string
  /** The secret word of a one-time link: made when the letter is written, kept nowhere. */
  token(linkId: string): string
}

/** One kind of letter. */
export interface MailTemplate<T = unknown> {
  readonly name: string
  readonly schema: z.ZodType<T>
  /** The list it belongs to, of which one click takes the reader off; absent for what everybody must get. */
  readonly list?: string
  /** Data for the previews, by a word each. */
  readonly samples: Readonly<Record<string, T>>
  write(data: T, frame: MailFrame): Written
}

const templates = new Map<string, MailTemplate>()

/** Declares a kind of letter. Call where the module is loaded: jobs find it by its name. */
export function defineMail<T>(template: MailTemplate<T>): MailTemplate<T> {
  if (templates.has(template.name)) throw new Error(`two templates of mail are called ${template.name}`)
  templates.set(template.name, template)
  return template
}

export const templateNamed = (name: string): MailTemplate | undefined => templates.get(name)

/** Every kind of letter, in the order of their names. */
export const allTemplates = (): MailTemplate[] =>
  [...templates.values()].toSorted((a, b) => a.name.localeCompare(b.name))
