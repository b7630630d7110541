type Decls = Record<string, string | undefined>

const ALIGN: Decls = { start: 'start', end: 'end', baseline: 'baseline', stretch: undefined }
const JUSTIFY: Decls = { between: 'space-between', middle: 'center', right: 'flex-end' }

/** The part of it that has a value. */
const said = (decls: Decls) =>
  Object.fromEntries(Object.entries(decls).filter(([, value]) => value !== undefined))

/** In a row, each in its middle unless a word says otherwise: `group 10px, wrap, between, baseline`. */
function group(_: unknown, ...words: string[]) {
  const align = words.find((word) => word in ALIGN)
  const justify = words.find((word) => word in JUSTIFY)
  return said({
    display: words.includes('inline') ? 'inline-flex' : 'flex',
    'flex-wrap': words.includes('wrap') ? 'wrap' : undefined,
    'align-items': align === undefined ? 'center' : ALIGN[align],
    'justify-content': justify && JUSTIFY[justify],
    gap: words.find((word) => /^\d/.test(word)),
  })
}

/** Size, weight and colour of what is written, each where it is said: `text 13px, 600, soft`. */
function text(_: unknown, ...words: string[]) {
  const color = words.find((word) => /^[a-z]/.test(word))
  return said({
    'font-size': words.find((word) => word.endsWith('px')),
    'font-weight': words.find((word) => /^\d+$/.test(word)),
    color: color && `var(--v-${color})`,
  })
}

const TOUCH: Record<string, Decls> = {
  high: { 'min-height': '44px' },
  fixed: { height: '44px' },
  square: { 'min-width': '44px', 'min-height': '44px' },
  size: { width: '44px', height: '44px' },
  inline: { display: 'inline-flex', 'align-items': 'center', 'min-height': '44px' },
  words: { 'padding-block': '12px', 'margin-block': '-12px' },
  away: { display: 'none' },
}

/** What a thumb hits: `high` enough, as a `square`, of this very `size`, `words` that are hit around themselves, or `away` where there is a thumb. */
const touch = (_: unknown, what = 'high') => ({ '@media (pointer: coarse)': TOUCH[what] })

/** A table of rows in columns, its rows so high, with so much room after a cell: `columns 44px, 8px`. */
const columns = (_: unknown, height: string, gap: string) => ({
  width: '100%',
  'border-collapse': 'collapse',
  '& th': { padding: `6px ${gap} 6px 0`, 'text-align': 'start', ...text(_, '13px', '500', 'soft') },
  '& td': {
    height,
    padding: `8px ${gap} 8px 0`,
    'border-top': '1px solid var(--v-line)',
    'overflow-wrap': 'anywhere',
  },
})

/**
 * What stylesheets say again and again, as `@mixin` of postcss-preset-mantine, in the words of Mantine's components. An element that has no more to
 * say than these is such a component, with style props and without a class.
 */
export const mixins = {
  group,
  text,
  /** One below the other. */
  stack: (_: unknown, gap?: string) => said({ display: 'flex', 'flex-direction': 'column', gap }),
  grid: (_: unknown, gap: string, columns?: string) =>
    said({ display: 'grid', 'grid-template-columns': columns, gap }),
  /** What it holds stands in its middle. */
  center: (_: unknown, size?: string, radius?: string) =>
    said({ display: 'grid', 'place-items': 'center', width: size, height: size, 'border-radius': radius }),
  size: (_: unknown, size: string, radius?: string) =>
    said({ width: size, height: size, 'border-radius': radius }),
  /** A surface with a line around it. */
  box: (_: unknown, radius?: string) =>
    said({
      background: 'var(--v-surface)',
      border: '1px solid var(--v-line)',
      'border-radius': radius,
    }),
  /** A list without its marks. */
  list: (_: unknown, margin = '0') => ({ margin, padding: '0', 'list-style': 'none' }),
  /** One line, cut where there is no more room. */
  cut: { overflow: 'hidden', 'text-overflow': 'ellipsis', 'white-space': 'nowrap' },
  /** Never wider than its place. */
  fits: { 'min-width': '0', 'overflow-wrap': 'anywhere' },
  /** Over all of what it stands in. */
  cover: { position: 'absolute', inset: '0' },
  /** A picture or film that fills its place. */
  picture: { width: '100%', height: '100%', 'object-fit': 'cover' },
  /** A button that looks like the words around it. */
  plain: { border: '0', background: 'none', font: 'inherit', cursor: 'pointer' },
  touch,
  columns,
  /** A number in a column: below the others by its last digit. */
  figure: { 'text-align': 'end', 'white-space': 'nowrap', 'font-variant-numeric': 'tabular-nums' },
  /** Lines of a plot, in its legend: they tell themselves apart by more than their colour, by weight, then dots. */
  lines: {
    'border-top': '2px solid transparent',
    "&[data-line='0']": { 'border-color': 'var(--v-accent)' },
    "&[data-line='1']": { 'border-color': 'var(--v-ink)' },
    "&[data-line='2']": { 'border-color': 'var(--v-faint)' },
    "&[data-line='3']": { 'border-color': 'var(--v-ink)', 'border-top-style': 'dotted' },
  },
  /** The same thing below itself begins with a line. */
  lined: { '& + &': { 'border-top': '1px solid var(--v-line)' } },
  /** One colour that is another under the pointer: `on-hover background, raised`. */
  'on-hover': (_: unknown, property: string, color: string) => ({
    '&:hover': { [property]: `var(--v-${color})` },
  }),
  /** A link that is pressed wherever its card is. */
  stretched: { '&::after': { content: "''", position: 'absolute', inset: '0' } },
}
