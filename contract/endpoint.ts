import { z } from 'zod'

/** How far an API key of a person reaches, each farther than those before it (docs/rules/people.md 15). */
export const KEY_SCOPES = ['read', 'operate', 'manage'] as const
export type KeyScope = (typeof KEY_SCOPES)[number]

/**
 * Who may call an endpoint. `session` is the browser's cookie, `oauth` a bearer token or X-API-KEY,
 * `slicer` one of these that is for slicers alone, `assistant` the one of these that our own slicer was given, `key:read` an API key that
 * reaches as far or farther, `printer` an agent's token, `anyone` needs no credential (docs/wire/rest.md 2).
 */
export type Caller = 'session' | 'oauth' | 'slicer' | 'assistant' | `key:${KeyScope}` | 'printer' | 'anyone'

/** What one REST operation says on the wire. The path always ends in `/` (docs/wire/rest.md 1). */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: `/${string}/`
  readonly callers: readonly Caller[]
  readonly summary: string
  /** It is about all that its caller has: an API key for some printers is refused. */
  readonly ofAccount?: true
  /** Only the person themselves: refused while an administrator acts as them. */
  readonly isPersonal?: true
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** null: answered with an empty body. */
  readonly response: z.ZodType | null
  /** Success status; 200 unless given. */
  readonly status?: number
  /** What it answers by status beside what all endpoints answer: for the OpenAPI document. */
  readonly answers?: Readonly<Record<number, z.ZodType>>
  /** Largest body in bytes; 1 MB unless given. */
  readonly bodyLimit?: number
  /** JSON may be as large as `bodyLimit`, too; else it ends at 1 MB, whatever files may be. */
  readonly largeJson?: true
  /** The body reaches the handler as the bytes that came, unread: a signature is over these. Then `body` is absent. */
  readonly raw?: true
  /** The part of a multipart body that holds the file, which is stored as it comes; `body` has the other fields. */
  readonly upload?: string
  /** Some of its refusals are plain text, as its clients know them. */
  readonly hasPlainRefusals?: true
  /** Asked with `redirect=true` it leads there (302) instead of saying where. */
  readonly leadsThere?: true
  /** A GET without the last slash is answered as well, instead of redirected: for programs that follow no redirect. */
  readonly bothForms?: true
  /** Served although the disk is full: what stops a print or lets somebody in is small and cannot wait. */
  readonly evenWhenDiskIsFull?: true
}

/** Declares an endpoint and keeps its literal types, so that client and server share them. */
export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition
}

/** A field and why it is refused: some endpoints say it in one text, as their clients know it. */
export const plainRefusal = z.record(z.string(), z.string()).meta({ id: 'PlainRefusal' })

/** A picture that cannot be read is refused in one sentence. */
export const damagedPicture = z.tuple([z.string()]).meta({ id: 'DamagedPicture' })

type In<T> = T extends z.ZodType ? z.input<T> : undefined
type Out<T> = T extends z.ZodType ? z.output<T> : undefined

/** What a client passes to `call(endpoint, args)`. */
export type Args<E extends Endpoint> = {
  [K in 'params' | 'query' | 'body' as E[K] extends z.ZodType ? K : never]: In<E[K]>
}

/** What a handler receives, after validation. */
export type Parsed<E extends Endpoint, K extends 'params' | 'query' | 'body'> = Out<E[K]>

/** What the endpoint answers. */
export type Reply<E extends Endpoint> = E['response'] extends z.ZodType ? z.output<E['response']> : null
