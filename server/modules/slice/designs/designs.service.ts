import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import type { Ctx } from '../../../ctx.ts'
import { type DesignProvider, NoDesigns, openDesigns } from '../../../engines/designs/index.ts'
import type { Comment, Design, DesignFile, Hit } from '../../../engines/designs/port.ts'
import { plainPicture } from '../../../engines/designs/picture.ts'
import { AppError } from '../../../http/errors.ts'
import { type Language, text } from '../../../http/texts.ts'
import { ofServer } from '../../../lib/of-server.ts'
import { byKnownKey, currentKey } from '../../../lib/keyring.ts'
import { isSame, signMedia } from '../../../lib/signing.ts'

/** What was said is good for so long; where the provider is away, for a day. */
const FRESH_MS = 10 * 60_000
const OLD_MS = 24 * 3_600_000
const MOST_ANSWERS = 500
const MOST_CHARS = 8_000_000
const PICTURE_CACHE_BYTES = 48 * 1_048_576
/** A picture is held in memory while it comes and is coded: so many at once. */
const inTurn = pLimit(8)

/** What a provider said of one kind of thing, and what it is being asked. */
class Kept<T extends object> {
  readonly answers = new LRUCache<string, { readonly at: number; readonly it: T }>({
    max: MOST_ANSWERS,
    maxSize: MOST_CHARS,
    sizeCalculation: (answer) => JSON.stringify(answer).length,
  })
  readonly asked = new Map<string, Promise<T>>()
}

interface Held {
  provider: DesignProvider | null
  readonly lists: Kept<readonly Hit[]>
  readonly designs: Kept<Design>
  readonly pictureLists: Kept<readonly string[]>
  readonly comments: Kept<readonly Comment[]>
  readonly files: Kept<readonly DesignFile[]>
  readonly pictures: LRUCache<string, Buffer>
  readonly coming: Map<string, Promise<Buffer>>
}

/** What of the catalogue one running server remembers. */
export const heldBy = ofServer<Held>(() => ({
  provider: null,
  lists: new Kept(),
  designs: new Kept(),
  pictureLists: new Kept(),
  comments: new Kept(),
  files: new Kept(),
  pictures: new LRUCache({
    maxSize: PICTURE_CACHE_BYTES,
    sizeCalculation: (bytes) => bytes.length + 1,
  }),
  coming: new Map(),
}))

/** The catalogue of this server. */
export function designsOf(ctx: Ctx): DesignProvider {
  const held = heldBy(ctx)
  held.provider ??= openDesigns(ctx.config, (key, language) => text('designs-server', key).in(language))
  return held.provider
}

/** How it is asked: until the server stops. */
export const asking = (ctx: Ctx, language: Language) => ({ language, signal: ctx.stopping })

/** Asked once for all who want the same at a time. */
function shared<T>(asked: Map<string, Promise<T>>, key: string, ask: () => Promise<T>): Promise<T> {
  const running = asked.get(key) ?? ask().finally(() => asked.delete(key))
  asked.set(key, running)
  return running
}

/**
 * What the provider says, asked once for all who want it at a time. Where it is away, what it said before, `isOld`. Raises 404, 413, 502
 * or 503, each with a sentence.
 */
export async function said<T extends object>(
  ctx: Ctx,
  { answers, asked }: Kept<T>,
  key: string,
  ask: () => Promise<T>,
): Promise<{ readonly it: T; readonly isOld: boolean }> {
  const now = ctx.clock.monotonic()
  const kept = answers.get(key)
  if (kept && now - kept.at < FRESH_MS) return { it: kept.it, isOld: false }
  try {
    const it = await shared(asked, key, ask)
    answers.set(key, { at: now, it })
    return { it, isOld: false }
  } catch (error) {
    if (!(error instanceof NoDesigns)) throw error
    if (kept && now - kept.at < OLD_MS && error.why !== 'gone') return { it: kept.it, isOld: true }
    throw asAnswer(error)
  }
}

const STATUS: Readonly<Record<NoDesigns['why'], number>> = {
  away: 503,
  slow: 503,
  limited: 503,
  refused: 502,
  nonsense: 502,
  gone: 404,
  tooLarge: 413,
}

/** A provider's trouble as an answer of ours. */
export function asAnswer({ why, againInS }: NoDesigns): AppError {
  const detail = text('designs-server', why, { seconds: againInS })
  const headers: Record<string, string> = STATUS[why] === 503 ? { 'retry-after': String(againInS) } : {}
  return new AppError(STATUS[why], { detail }, headers)
}

/** What of somebody's HTML is shown: no pictures, no styles, no forms; links open elsewhere and say nothing of us. */
export async function cleanHtml(html: string): Promise<string> {
  const { default: sanitizeHtml } = await import('sanitize-html')
  return sanitizeHtml(html, {
    allowedTags: [
      'p',
      'a',
      'b',
      'strong',
      'i',
      'em',
      'ul',
      'ol',
      'li',
      'h3',
      'h4',
      'br',
      'code',
      'pre',
      'blockquote',
    ],
    allowedAttributes: { a: ['href', 'rel', 'target'] },
    allowedSchemes: ['https', 'http'],
    allowProtocolRelative: false,
    nestingLimit: 30,
    transformTags: {
      a: sanitizeHtml.simpleTransform('a', { rel: 'noopener noreferrer nofollow', target: '_blank' }),
    },
  })
}

const SIGNED = 'design:'

/** The address of a picture of a design on this server; null where there is none. */
export function pictureUrl(ctx: Ctx, key: string | null): string | null {
  if (key === null) return null
  const mark = signMedia(currentKey(ctx.config).secret, SIGNED + key, 0)
  return `/ent/api/designs/pictures/${mark}?of=${encodeURIComponent(key)}`
}

/** A picture that an address of ours names, coded anew; null for one that we have not given out. Raises what `asAnswer` makes. */
export async function readPicture(ctx: Ctx, key: string, mark: string): Promise<Buffer | null> {
  if (!byKnownKey(ctx.config, (secret) => isSame(mark, signMedia(secret, SIGNED + key, 0)))) return null
  const { pictures, coming } = heldBy(ctx)
  const known = pictures.get(key)
  if (known) return known
  try {
    return await shared(coming, key, () =>
      inTurn(async () => {
        const picture = await plainPicture(await designsOf(ctx).picture(key, asking(ctx, 'en')))
        pictures.set(key, picture)
        return picture
      }),
    )
  } catch (error) {
    if (error instanceof NoDesigns) throw asAnswer(error)
    throw asAnswer(new NoDesigns('nonsense', { cause: error }))
  }
}
