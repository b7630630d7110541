import { RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'

/** A quantifier that may go on for longer is as good as endless. */
const MANY = 1000

/**
 * Why an expression may take longer than its text is long, beyond what `regexp/no-super-linear-*` prove (they look into no
 * look-around); null where it may not. What begins at the start of a text begins once; what says its limit ends there.
 */
export function riskOf(pattern: string, flags: string): string | null {
  const parsed = new RegExpParser().parsePattern(pattern, 0, pattern.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  })
  let isEndless = false
  let depth = 0
  let isEndlessLook = false
  const turn = (kind: string, by: number) => {
    if (kind.startsWith('look')) depth += by
  }
  visitRegExpAST(parsed, {
    onAssertionEnter: ({ kind }) => turn(kind, 1),
    onAssertionLeave: ({ kind }) => turn(kind, -1),
    onQuantifierEnter({ max }) {
      if (max <= MANY) return
      isEndless = true
      isEndlessLook ||= depth > 0
    },
  })
  if (isEndlessLook)
    return 'A look ahead or behind goes on without a limit: give its quantifier one ({0,200}).'
  const isAnchored =
    flags.includes('y') ||
    (!flags.includes('m') &&
      parsed.alternatives.every(
        ({ elements: [first] }) => first?.type === 'Assertion' && first.kind === 'start',
      ))
  return isEndless && !isAnchored
    ? 'This may begin anywhere and goes on without a limit: give its quantifiers one ({1,200}), or meet a text that was cut (.slice(0, n)).'
    : null
}

/** As much of oxlint's tree as is looked at. */
export interface Tree {
  readonly type: string
  readonly parent?: Tree
  readonly regex?: { readonly pattern: string; readonly flags: string }
  readonly callee?: Tree & { readonly name?: string }
  readonly object?: Tree
  readonly expression?: Tree
  readonly property?: Tree & { readonly name?: string }
  readonly arguments?: readonly (Tree & { readonly value?: unknown })[]
}

const OF_TEXTS = new Set(['match', 'matchAll', 'replace', 'replaceAll', 'search', 'split'])
const OF_EXPRESSIONS = new Set(['test', 'exec'])
/** These make no text longer. */
const SHORTENING = new Set(['trim', 'trimStart', 'trimEnd', 'toLowerCase', 'replace', 'replaceAll'])

/** Whether a text was cut to a length where the expression meets it: `text.slice(0, n)`, trimmed or not. */
function isCut(node: Tree | undefined): boolean {
  if (node?.type === 'ChainExpression') return isCut(node.expression)
  const { callee } = node ?? {}
  if (node?.type !== 'CallExpression' || callee?.type !== 'MemberExpression') return false
  const name = callee.property?.name ?? ''
  const [from, to] = node.arguments ?? []
  if (name === 'slice') return from?.value === 0 && to !== undefined
  return SHORTENING.has(name) && isCut(callee.object)
}

/** Whether this expression meets a cut text, there where it stands. */
export function meetsCutText(literal: Tree): boolean {
  const { parent } = literal
  if (parent?.type === 'CallExpression' && OF_TEXTS.has(parent.callee?.property?.name ?? ''))
    return isCut(parent.callee?.object)
  const call = parent?.parent
  return (
    parent?.type === 'MemberExpression' &&
    OF_EXPRESSIONS.has(parent.property?.name ?? '') &&
    call?.type === 'CallExpression' &&
    isCut(call.arguments?.[0])
  )
}
