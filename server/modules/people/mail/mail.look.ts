import type { Brand } from '../../../brands/brands.ts'
import type { Language } from '../../../http/texts.ts'
import { escaped } from '../../../lib/html.ts'
import type { MailBlock, MailButton, Words, Written } from './mail.templates.ts'

/** A letter in one language, as a mail program shows it. */
export interface Drawn {
  readonly subject: string
  readonly html: string
  readonly text: string
}

/** What stands below a letter. */
export interface Foot {
  readonly words: Words
  readonly links: readonly MailButton[]
}

const LIGHT = {
  page: '#f6f5f2',
  surface: '#ffffff',
  line: '#e4e1da',
  ink: '#1b1d22',
  soft: '#5d6370',
  accent: '#4053d6',
  onAccent: '#ffffff',
  good: ['#dff3ee', '#0b5f50'],
  warn: ['#fdf0d6', '#7a4800'],
  bad: ['#fde7e7', '#a3222a'],
} as const
const DARK = {
  page: '#0f1115',
  surface: '#171a20',
  line: '#2a2f39',
  ink: '#eceef2',
  soft: '#a5acb9',
  accent: '#8c9bff',
  onAccent: '#0f1115',
  good: ['#12332c', '#7fdcc6'],
  warn: ['#3a2a10', '#f2b04b'],
  bad: ['#43191c', '#ff9a9d'],
} as const

const FONT =
  "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Helvetica Neue',Arial,'PingFang SC','Microsoft YaHei',sans-serif"

/** Draws a letter. Styles stand in each element, as mail programs drop sheets; the sheet only darkens what is there. */
export function draw(
  { subject, title, blocks: written }: Written,
  { language, brand, foot }: { language: Language; brand: Brand; foot: Foot },
): Drawn {
  const say = (words: Words) => (typeof words === 'string' ? words : words.in(language))
  const blocks = written.flatMap(leading)
  const accent = {
    color: brand.colors?.light.accent ?? LIGHT.accent,
    on: brand.colors?.light.on_accent ?? LIGHT.onAccent,
  }
  const html = page({
    language,
    subject: say(subject),
    sheet: sheetOf(brand),
    body: [
      `<p class="v-accent" style="margin:0 0 14px;font-size:15px;font-weight:700;color:${accent.color}">${escaped(brand.display_name)}</p>`,
      `<h1 class="v-ink" style="margin:0 0 16px;font-size:22px;line-height:1.3;font-weight:650;color:${LIGHT.ink}">${escaped(say(title))}</h1>`,
      ...blocks.map((block) => htmlOf(block, { say, accent })),
    ].join('\n'),
    foot: [
      escaped(say(foot.words)),
      ...foot.links.map(
        ({ label, href }) =>
          `<a class="v-soft" href="${escaped(href)}" style="color:${LIGHT.soft};text-decoration:underline">${escaped(say(label))}</a>`,
      ),
    ].join(' &nbsp; '),
  })
  const text = [
    say(title),
    ...blocks.map((block) => textOf(block, say)),
    ['-- ', say(foot.words), ...foot.links.map(({ label, href }) => `${say(label)}: ${href}`)].join('\n'),
  ].join('\n\n')
  return { subject: oneLine(say(subject)), html, text: `${text}\n` }
}

/** A block without buttons that lead nowhere. */
function leading(block: MailBlock): MailBlock[] {
  if (block.kind !== 'buttons') return [block]
  const buttons = block.buttons.filter(({ href }) => href !== '')
  return buttons.length === 0 ? [] : [{ ...block, buttons }]
}

/** A header's line: what people named themselves may hold anything. */
const oneLine = (text: string) => text.slice(0, 2500).replace(/\s+/g, ' ').trim().slice(0, 250)

interface Pen {
  say(words: Words): string
  readonly accent: { readonly color: string; readonly on: string }
}

function htmlOf(block: MailBlock, { say, accent }: Pen): string {
  switch (block.kind) {
    case 'text': {
      const [name, color] = block.soft ? (['v-soft', LIGHT.soft] as const) : (['v-ink', LIGHT.ink] as const)
      const size = block.soft ? 13 : 15
      return `<p class="${name}" style="margin:0 0 16px;font-size:${size}px;line-height:1.55;color:${color}">${escaped(say(block.words)).replaceAll('\n', '<br>')}</p>`
    }
    case 'buttons':
      return `<p style="margin:4px 0 20px">${block.buttons.map((button) => buttonOf(button, { say, accent })).join(' ')}</p>`
    case 'picture':
      return `<p style="margin:0 0 18px"><img src="${escaped(block.src)}" alt="${escaped(say(block.alt))}" width="504" style="display:block;width:100%;max-width:504px;height:auto;border:0;border-radius:10px"></p>`
    case 'facts': {
      const rows = block.facts.map(
        ([label, value]) =>
          `<tr><td class="v-soft" style="padding:3px 18px 3px 0;vertical-align:top;white-space:nowrap;color:${LIGHT.soft}">${escaped(say(label))}</td><td class="v-ink" style="padding:3px 0;word-break:break-word;color:${LIGHT.ink}">${escaped(say(value))}</td></tr>`,
      )
      return `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 18px;font-size:14px;line-height:1.5">${rows.join('')}</table>`
    }
    case 'list': {
      const title =
        block.title === undefined
          ? ''
          : `<p class="v-ink" style="margin:0 0 6px;font-size:14px;font-weight:650;color:${LIGHT.ink}">${escaped(say(block.title))}</p>`
      const items = block.items.map((item) => `<li style="margin:0 0 4px">${escaped(say(item))}</li>`)
      return `${title}<ul class="v-ink" style="margin:0 0 18px;padding:0 0 0 20px;font-size:14px;line-height:1.5;color:${LIGHT.ink}">${items.join('')}</ul>`
    }
    case 'box': {
      const [ground, ink] = LIGHT[block.tone]
      return `<p class="v-${block.tone}" style="margin:0 0 18px;padding:12px 14px;border-radius:8px;font-size:15px;line-height:1.5;background:${ground};color:${ink}">${escaped(say(block.words))}</p>`
    }
  }
}

function buttonOf({ label, href, quiet }: MailButton, { say, accent }: Pen): string {
  const [name, look] = quiet
    ? ['v-quiet', `background:${LIGHT.surface};color:${LIGHT.ink};border:1px solid ${LIGHT.line}`]
    : ['v-button', `background:${accent.color};color:${accent.on};border:1px solid ${accent.color}`]
  return `<a class="${name}" href="${escaped(href)}" style="display:inline-block;margin:0 6px 8px 0;padding:11px 20px;border-radius:8px;font-size:15px;font-weight:600;line-height:1.2;text-decoration:none;${look}">${escaped(say(label))}</a>`
}

function textOf(block: MailBlock, say: Pen['say']): string {
  switch (block.kind) {
    case 'text':
    case 'box':
      return say(block.words)
    case 'buttons':
      return block.buttons.map(({ label, href }) => `${say(label)}:\n${href}`).join('\n\n')
    case 'picture':
      return block.src.startsWith('cid:') ? `[${say(block.alt)}]` : `${say(block.alt)}: ${block.src}`
    case 'facts':
      return block.facts.map(([label, value]) => `${say(label)}: ${say(value)}`).join('\n')
    case 'list':
      return [
        ...(block.title === undefined ? [] : [say(block.title)]),
        ...block.items.map((item) => `* ${say(item)}`),
      ].join('\n')
  }
}

/** Mail programs that know dark mode read the sheet; all others keep what stands in the elements. */
function sheetOf({ colors }: Brand): string {
  const accent = colors?.dark.accent ?? DARK.accent
  const on = colors?.dark.on_accent ?? DARK.onAccent
  const rules = [
    `.v-page{background:${DARK.page}!important}`,
    `.v-card{background:${DARK.surface}!important;border-color:${DARK.line}!important}`,
    `.v-ink{color:${DARK.ink}!important}`,
    `.v-soft{color:${DARK.soft}!important}`,
    `.v-accent{color:${accent}!important}`,
    `.v-button{background:${accent}!important;border-color:${accent}!important;color:${on}!important}`,
    `.v-quiet{background:${DARK.surface}!important;border-color:${DARK.line}!important;color:${DARK.ink}!important}`,
    ...(['good', 'warn', 'bad'] as const).map(
      (tone) => `.v-${tone}{background:${DARK[tone][0]}!important;color:${DARK[tone][1]}!important}`,
    ),
  ]
  return `@media (prefers-color-scheme:dark){${rules.join('')}}`
}

interface Page {
  readonly language: Language
  readonly subject: string
  readonly sheet: string
  readonly body: string
  readonly foot: string
}

const page = ({ language, subject, sheet, body, foot }: Page) => `<!doctype html>
<html lang="${language === 'zh' ? 'zh-CN' : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(subject)}</title>
<style>${sheet}</style>
</head>
<body class="v-page" style="margin:0;padding:0;background:${LIGHT.page}">
<table class="v-page" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:${LIGHT.page};font-family:${FONT}">
<tr><td align="center" style="padding:28px 14px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px">
<tr><td class="v-card" style="padding:26px 28px 12px;background:${LIGHT.surface};border:1px solid ${LIGHT.line};border-radius:14px">
${body}
</td></tr>
<tr><td class="v-soft" align="center" style="padding:16px 12px;font-size:12px;line-height:1.6;color:${LIGHT.soft}">
${foot}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
