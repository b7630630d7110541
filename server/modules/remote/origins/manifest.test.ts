import { describe, expect, it } from 'vitest'
import { manifestWithCookies } from './manifest.ts'

const of = async (page: string) => (await manifestWithCookies(Buffer.from(page))).toString()
const WITH = 'crossorigin="use-credentials"'

describe('the page of a printer', () => {
  it('asks for its manifest with cookies, however the link is written', async () => {
    expect(await of('<link rel="manifest" href="/m">')).toBe(`<link ${WITH} rel="manifest" href="/m">`)
    expect(await of("<LINK href='a>b' REL='icon Manifest'/>")).toBe(
      `<LINK ${WITH} href='a>b' REL='icon Manifest'/>`,
    )
    expect(await of('<link\nrel=manifest>x')).toBe(`<link ${WITH}\nrel=manifest>x`)
  })

  it('is left as it is where it asks for itself, names something else, or names it where nobody reads it', async () => {
    const pages = [
      '<link rel=manifest crossorigin href=/m>',
      '<link rel=stylesheet href=manifest>',
      '<links rel=manifest>',
      '<!-- <link rel=manifest> -->',
      '<script>"<link rel=manifest>"</script>',
      '<textarea><link rel=manifest></textarea>',
      '<link rel=manifest',
    ]
    for (const page of pages) expect(await of(page)).toBe(page)
  })

  it('keeps every other byte in whatever encoding, over the edges of what is read at once', async () => {
    const latin1 = Buffer.from([0xe4, 0xff, 0x00, 0x80, ...Buffer.from('<link rel=manifest>'), 0xfe])
    const told = await manifestWithCookies(latin1)
    expect(told.toString('latin1')).toBe(latin1.toString('latin1').replace('<link', `<link ${WITH}`))
    for (const before of [32_760, 32_768, 65_530]) {
      const page = `${'ü'.repeat(before / 2)}<link rel="manifest">${'x'.repeat(40_000)}`
      expect(await of(page)).toBe(page.replace('<link', `<link ${WITH}`))
    }
  })
})

const MB = 1_000_000
it.each([
  '<link ',
  '<link rel=manifest ',
  '<',
  '<!--',
  '<div>',
  '<svg>',
  '<link a>',
  '<p>',
  '"',
  '<script>',
  '&amp',
])('a megabyte of %s lets others have their turn every 50 ms of processor time', async (token) => {
  const page = Buffer.from(token.repeat(MB / token.length))
  let [longest, isOver] = [0, false]
  let before = process.threadCpuUsage()
  const tick = () => {
    const { user, system } = process.threadCpuUsage(before)
    longest = Math.max(longest, (user + system) / 1_000)
    before = process.threadCpuUsage()
    if (!isOver) setImmediate(tick)
  }
  setImmediate(tick)
  await manifestWithCookies(page)
  isOver = true
  expect(longest).toBeLessThan(50)
})
