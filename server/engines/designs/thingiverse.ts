import { DESIGNS_PAGE } from '@vigil/contract/slice/designs.ts'
import { z } from 'zod'
import type { Config } from '../../config.ts'
import { readVendor, TooLong } from '../outgoing/read.ts'
import { NoAnswer } from '../outgoing/send.ts'
import {
  type Asking,
  type Comment,
  type Design,
  type DesignFile,
  type DesignProvider,
  type Hit,
  type Maker,
  NoDesigns,
} from './port.ts'

type Needs = Pick<Config, 'OUTGOING_STAND_INS'>

const API = 'https://api.thingiverse.com'
/** Where its pictures and files lie. */
const HOSTS = ['api.thingiverse.com', 'cdn.thingiverse.com', 'www.thingiverse.com', 'media.thingiverse.com']
const ANSWER_BYTES = 4 * 1_048_576
const PICTURE_BYTES = 12 * 1_048_576
const ANSWER_MS = 12_000
const FILE_MS = 120_000
const MOST = 100
const NAME = 300
const HTML = 200_000
/** It takes 300 calls in five minutes. */
const CALLS = 280
const WINDOW_MS = 300_000

const words = (most: number) =>
  z
    .string()
    .transform((value) => value.slice(0, most).toWellFormed())
    .catch('')
const count = z.number().int().nonnegative().max(1e9).catch(0)
const number = z
  .number()
  .int()
  .positive()
  .max(2 ** 31 - 1)
const address = z.string().max(2_000).nullish().catch(null)
const maker = z
  .object({ name: words(NAME), first_name: words(NAME), thumbnail: address })
  .partial()
  .nullish()
  .catch(null)

const thing = z.object({
  id: number,
  name: words(NAME),
  preview_image: address,
  thumbnail: address,
  creator: maker,
  like_count: count,
})
const whole = thing.extend({
  collect_count: count,
  file_count: count,
  description_html: words(HTML),
  license: words(NAME),
  public_url: address,
})
const comment = z.object({ id: number, body: words(5_000), user: maker, is_deleted: z.boolean().nullish() })
const file = z.object({
  id: number,
  name: words(NAME),
  size: count,
  thumbnail: address,
  direct_url: address,
})
const image = z.object({ sizes: z.array(z.object({ url: z.string().max(2_000) })).min(1) })

/** Each that is as it should be: one that is not spoils no other. */
const listOf = <T extends z.ZodType>(type: T) =>
  z.array(z.unknown()).transform((all) =>
    all.slice(0, MOST).flatMap((one): z.output<T>[] => {
      const read = type.safeParse(one)
      return read.success ? [read.data] : []
    }),
  )

/** Asks its API, no oftener than it lets us. */
function askerOf(config: Needs, token: string) {
  let began = 0
  let calls = 0
  return async <T extends z.ZodType>(path: string, type: T, { signal }: Asking): Promise<z.output<T>> => {
    const now = performance.now()
    if (now - began > WINDOW_MS) [began, calls] = [now, 0]
    if (++calls > CALLS)
      throw new NoDesigns('limited', { againInS: Math.ceil((began + WINDOW_MS - now) / 1000) })
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
    const limits = { hosts: HOSTS, mostBytes: ANSWER_BYTES, timeoutMs: ANSWER_MS, signal }
    const { body } = await get(config, { url: `${API}${path}`, headers, ...limits })
    try {
      return type.parse(JSON.parse(body.toString('utf8')))
    } catch (error) {
      throw new NoDesigns('nonsense', { cause: error })
    }
  }
}

/** The maker's own API, with the token of an app that the administrator has made (docs/rules/slice.md 8). */
export function openThingiverse(config: Needs, token: string): DesignProvider {
  const ask = askerOf(config, token)
  return {
    name: 'Thingiverse',
    async list(keyword, page, asking) {
      const common = { type: 'things', per_page: String(DESIGNS_PAGE), page: String(page) }
      const query =
        keyword === '' ? { sort: 'popular', posted_after: 'now-30d' } : { sort: 'relevant', posted_after: '' }
      const path = `/search/${encodeURIComponent(keyword)}?${new URLSearchParams({ ...common, ...query }).toString()}`
      const { hits } = await ask(path, z.object({ hits: listOf(thing) }), asking)
      return hits.slice(0, DESIGNS_PAGE).map(hitOf)
    },
    design: async (id, asking) => designOf(await ask(`/things/${id}`, whole, asking)),
    pictures: async (id, asking) =>
      (await ask(`/things/${id}/images?size=large&type=display`, listOf(image), asking)).flatMap(
        ({ sizes: [first] }) => first?.url ?? [],
      ),
    comments: async (id, asking) =>
      (await ask(`/things/${id}/comments?per_page=${MOST}`, listOf(comment), asking)).flatMap(
        ({ is_deleted, ...one }): Comment[] =>
          is_deleted === true ? [] : [{ id: one.id, body: one.body, maker: makerOf(one.user) }],
      ),
    files: async (id, asking) => (await ask(`/things/${id}/files`, listOf(file), asking)).map(fileOf),
    async file(url, mostBytes, { signal }) {
      const reading = { url, hosts: HOSTS, mostBytes, timeoutMs: FILE_MS, signal }
      return (await get(config, reading)).body
    },
    async picture(url, { signal }) {
      const reading = { url, hosts: HOSTS, mostBytes: PICTURE_BYTES, timeoutMs: ANSWER_MS, signal }
      return (await get(config, reading)).body
    },
  }
}

async function get(config: Needs, reading: Parameters<typeof readVendor>[1]) {
  try {
    const got = await readVendor(config, reading)
    if (got.status === 429)
      throw new NoDesigns('limited', { againInS: Math.min(600, Number(got.headers['retry-after']) || 60) })
    if (got.status === 404) throw new NoDesigns('gone')
    if (got.status === 401 || got.status === 403) throw new NoDesigns('refused')
    if (got.status !== 200) throw new NoDesigns('away')
    return got
  } catch (error) {
    if (error instanceof TooLong) throw new NoDesigns('tooLarge', { cause: error })
    if (!(error instanceof NoAnswer)) throw error
    const why = error.why === 'timedOut' ? 'slow' : error.why === 'unreachable' ? 'away' : 'nonsense'
    throw new NoDesigns(why, { cause: error })
  }
}

const makerOf = (said: z.infer<typeof maker>): Maker => ({
  name: said?.first_name || said?.name || '',
  picture: said?.thumbnail ?? null,
})
const hitOf = (one: z.infer<typeof thing>): Hit => ({
  id: one.id,
  name: one.name,
  picture: one.preview_image ?? one.thumbnail ?? null,
  maker: makerOf(one.creator),
  likes: one.like_count,
})
const designOf = (one: z.infer<typeof whole>): Design => ({
  ...hitOf(one),
  collects: one.collect_count,
  files: one.file_count,
  html: one.description_html,
  license: one.license === '' ? null : one.license,
  url: one.public_url?.startsWith('https://www.thingiverse.com/') ? one.public_url : null,
})
const fileOf = ({ id, name, size, thumbnail, direct_url }: z.infer<typeof file>): DesignFile => ({
  id,
  name,
  numBytes: size,
  picture: thumbnail ?? null,
  content: direct_url ?? null,
})
