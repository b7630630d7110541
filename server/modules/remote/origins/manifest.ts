import { setImmediate as otherWork } from 'node:timers/promises'

/** So much of a page is read in one go: the server does other work between. */
const AT_ONCE = 32_768
/** Names and values that are asked for are no longer. */
const LONGEST = 100
const WITH_COOKIES = Buffer.from(' crossorigin="use-credentials"')

const ignore = () => undefined
const UNREAD = {
  onattribend: ignore,
  onattribentity: ignore,
  oncdata: ignore,
  onclosetag: ignore,
  oncomment: ignore,
  ondeclaration: ignore,
  onend: ignore,
  onprocessinginstruction: ignore,
  ontext: ignore,
  ontextentity: ignore,
}

/**
 * Mainsail's and Fluidd's page names a manifest, which browsers fetch without cookies unless told: then our door would not
 * let it through. All other bytes of the page stay as they are, whatever its encoding.
 */
export async function manifestWithCookies(page: Buffer): Promise<Buffer> {
  const { Tokenizer } = await import('htmlparser2')
  const ends: number[] = []
  const wordAt = (from: number, to: number) =>
    page.toString('latin1', from, Math.min(to, from + LONGEST)).toLowerCase()
  let attribute = ''
  let link: { end: number; isManifest: boolean; isTold: boolean } | null = null
  const close = () => {
    if (link?.isManifest === true && !link.isTold) ends.push(link.end)
    link = null
  }
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      ...UNREAD,
      onopentagname: (from, to) => {
        link = wordAt(from, to) === 'link' ? { end: to, isManifest: false, isTold: false } : null
      },
      onattribname: (from, to) => {
        attribute = link === null ? '' : wordAt(from, to)
        if (link !== null && attribute === 'crossorigin') link.isTold = true
      },
      onattribdata: (from, to) => {
        if (link !== null && attribute === 'rel')
          link.isManifest ||= wordAt(from, to).split(/\s/).includes('manifest')
      },
      onopentagend: close,
      onselfclosingtag: close,
    },
  )
  // A byte is a letter, so places in the text are places in the page.
  for (let at = 0; at < page.length; at += AT_ONCE) {
    tokenizer.write(page.toString('latin1', at, at + AT_ONCE))
    await otherWork()
  }
  tokenizer.end()
  let from = 0
  const parts: Buffer[] = []
  for (const end of ends) {
    parts.push(page.subarray(from, end), WITH_COOKIES)
    from = end
  }
  return Buffer.concat([...parts, page.subarray(from)])
}
