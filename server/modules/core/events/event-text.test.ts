import { describe, expect, it } from 'vitest'
import {
  asEventText,
  plainEventText,
  readEventText,
  safeEventText,
  webAddress,
} from '@vigil/contract/core/event-text.ts'

describe('the text of an event', () => {
  it.each([
    ['plain', 'plain'],
    ['a < b > c && d', 'a &lt; b &gt; c &amp;&amp; d'],
    ['<b>bold <i>both</b> italic</i> none', '<b>bold </b><b><i>both</i></b><i> italic</i> none'],
    ['<STRONG>x</strong><em>y</em><U>z</U>', '<b>x</b><i>y</i><u>z</u>'],
    ['one<br>two<BR/>three<br >four\r\nfive', 'one<br>two<br>three<br>four<br>five'],
    ['<div>one</div><p>two</p>', 'one<br><br>two'],
    ['<b>open', '<b>open</b>'],
    ['</b></i></a>', ''],
    ['&lt;b&gt; &amp;amp; &#39;&#x27; &nope; &nbsp;.', "&lt;b&gt; &amp;amp; '' &amp;nope; \u00a0."],
    [
      'see <a href="https://example.org/a?b=1&amp;c=2">this</a>!',
      'see <a href="https://example.org/a?b=1&amp;c=2">this</a>!',
    ],
    ["<a class='x' HREF='http://e.org' onclick=alert(1)>x</a>", '<a href="http://e.org/">x</a>'],
    ['<a href=https://e.org>x</a>', '<a href="https://e.org/">x</a>'],
    ['<a href="javascript:alert(1)">x</a>', 'x'],
    ['<a href="java&#10;script:alert(1)">x</a>', 'x'],
    ['<a href=" https://e.org">x</a>', 'x'],
    ['<a href="//e.org">x</a>', 'x'],
    ['<a href="https://e.org@evil.org">x</a>', 'x'],
    ['<a href="https:\\\\e.org">x</a>', 'x'],
    ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
    ['<b onclick="x">y</b>', '<b>y</b>'],
    ['<b<script>>y', '&lt;b&lt;script&gt;&gt;y'],
    ['a\0b\x1b[31mc\u0085', 'a b [31mc'],
    ['&#0;&#xd800;&#x110000;&#128;ok', 'ok'],
  ])('%s', (html, safe) => {
    expect(safeEventText(html)).toBe(safe)
  })

  it('is the same when it was made harmless once', () => {
    for (const text of hostile(200)) {
      const once = safeEventText(text)
      expect(safeEventText(once)).toBe(once)
      expect(plainEventText(once)).toBe(plainEventText(text))
    }
  })

  it('holds no markup but what is known, however it is twisted', () => {
    const KNOWN = /<\/?[biu]>|<br>|<\/a>|<a href="https?:\/\/[^"<>\s]*">/g
    for (const text of hostile(2_000)) {
      expect(safeEventText(text).replace(KNOWN, '')).not.toMatch(/[<>]/)
      for (const { href } of readEventText(text))
        if (href !== undefined) expect(href).toMatch(/^https?:\/\/[^@]+$/)
    }
  })

  it('that shows a text is that text', () => {
    for (const text of ['<b>x</b> & "y"', 'a.gcode', '&lt;', 'two\nlines'])
      expect(plainEventText(asEventText(text))).toBe(text)
  })

  it.each([
    '\\',
    '<',
    '>',
    '<b',
    '<b>',
    '<a ',
    '<a href="',
    "<a href='",
    '&',
    '&#',
    '&#x1',
    '<!--',
    '<b><i>',
    '\n',
    '<a href=https://e.org/',
  ])('of 100 kB of %j is read in a moment', (piece) => {
    const text = piece.repeat(100_000 / piece.length)
    const began = process.cpuUsage()
    readEventText(text)
    const { user, system } = process.cpuUsage(began)
    // What grows with the square of the length takes minutes.
    expect((user + system) / 1e6).toBeLessThan(5)
  })

  it('has addresses of the web alone', () => {
    expect(webAddress('https://e.org/x')).toBe('https://e.org/x')
    for (const text of [
      '',
      '/x',
      'ftp://e.org',
      'https://',
      'https://a b',
      'data:text/html,x',
      `https://e.org/${'x'.repeat(3_000)}`,
    ])
      expect(webAddress(text)).toBeUndefined()
  })
})

/** Texts put together at random (always the same ones) of what tricks other parsers. */
function hostile(count: number): string[] {
  const PIECES = [
    '<',
    '>',
    '"',
    "'",
    '&',
    ';',
    '/',
    '=',
    ' ',
    '\n',
    '\\',
    '\0',
    '&lt;',
    '&#60;',
    '&#x3c;',
    '<!--',
    '-->',
    ']]>',
    '<b>',
    '</b>',
    '<a ',
    'href=',
    'href="https://e.org/',
    'javascript:',
    '">',
    'x',
    'script',
    '<script>',
    '<svg/onload=',
    '<br',
    'http://e.org',
    '\u202e',
    '\ud800',
  ]
  let seed = 7
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
  const piece = () => PIECES[Math.floor(random() * PIECES.length)]
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + Math.floor(random() * 30) }, piece).join(''),
  )
}
