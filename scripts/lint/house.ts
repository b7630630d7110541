import { relative, sep } from 'node:path'
import { meetsCutText, riskOf, type Tree } from './bounded.ts'
import { readOrder, refusal } from './layers.ts'
import {
  type Node as Owned,
  refusedAssertion,
  refusedCall,
  refusedExport,
  refusedSql,
  refusedWord,
} from './owned.ts'

/**
 * oxlint's plugin of our own: `house/layers` refuses imports against docs/architecture.md, `house/bounded` expressions that a long text
 * from outside holds up, `house/owned` ways to what belongs to an owner that ask for no proof.
 */

interface Node {
  readonly source?: { readonly value?: unknown } | null
  readonly importKind?: string
  readonly exportKind?: string
  readonly specifiers?: readonly { readonly importKind?: string; readonly exportKind?: string }[]
}
interface Context {
  readonly filename: string
  readonly cwd?: string
  report(finding: { node: unknown; message: string }): void
}

const isType = (node: Node) =>
  node.importKind === 'type' ||
  node.exportKind === 'type' ||
  (node.specifiers !== undefined &&
    node.specifiers.length > 0 &&
    node.specifiers.every((one) => one.importKind === 'type' || one.exportKind === 'type'))

const root = new URL('../..', import.meta.url).pathname
const order = readOrder(root)

const fileOf = ({ filename }: Context) => relative(root, filename).split(sep).join('/')

const layers = {
  create(context: Context) {
    const file = fileOf(context)
    const check = (node: Node): void => {
      const source = node.source?.value
      if (typeof source !== 'string') return
      const message = refusal({ file, source, isType: isType(node) }, order)
      if (message !== null) context.report({ node, message })
    }
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    }
  },
}

const bounded = {
  create(context: Context) {
    return {
      Literal(node: Tree) {
        if (node.regex === undefined) return
        const message = riskOf(node.regex.pattern, node.regex.flags)
        if (message !== null && !meetsCutText(node)) context.report({ node, message })
      },
      NewExpression(node: Tree) {
        if (node.callee?.name === 'RegExp')
          context.report({
            node,
            message: 'An expression that is put together is seen by no rule: write it.',
          })
      },
    }
  },
}

const owned = {
  create(context: Context) {
    const file = fileOf(context)
    const refuses = (refused: (file: string, node: Owned) => string | null) => (node: Owned) => {
      const message = refused(file, node)
      if (message !== null) context.report({ node, message })
    }
    return {
      ExportNamedDeclaration: refuses(refusedExport),
      ExportSpecifier: refuses(refusedExport),
      TaggedTemplateExpression: refuses(refusedSql),
      CallExpression: refuses(refusedCall),
      Identifier: refuses(refusedWord),
      TSAsExpression: refuses(refusedAssertion),
      TSTypeAssertion: refuses(refusedAssertion),
      TSTypePredicate: refuses(refusedAssertion),
      'CallExpression[callee.property.name="custom"]': refuses(refusedAssertion),
    }
  },
}

export default { meta: { name: 'house' }, rules: { layers, bounded, owned } }
