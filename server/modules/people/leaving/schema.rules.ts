import type { Belongings, Column } from './belongings.queries.ts'

const TYPES: readonly (readonly [RegExp, Readonly<Record<string, unknown>>])[] = [
  [/^(?:smallint|integer|bigint)$/, { type: 'integer' }],
  [/^(?:real|double precision|numeric)$/, { type: 'number' }],
  [/^boolean$/, { type: 'boolean' }],
  [/^timestamp/, { type: 'string', format: 'date-time' }],
  [/^date$/, { type: 'string', format: 'date' }],
  [/^(?:text|uuid|inet|cidr|character)/, { type: 'string' }],
]

/** What stands in a column, as JSON Schema says it; {} for what may be anything. */
function typeOf({ type, isNullable }: Column): Readonly<Record<string, unknown>> {
  if (type.endsWith('[]')) {
    const items = typeOf({ name: '', type: type.slice(0, -2), isNullable: true })
    return { type: isNullable ? ['array', 'null'] : 'array', items }
  }
  const known = TYPES.find(([pattern]) => pattern.test(type))?.[1]
  if (known === undefined) return {}
  return isNullable ? { ...known, type: [known['type'], 'null'] } : known
}

/** JSON Schema (2020-12) of the files of rows, each by its table's name. */
export function schemaOf(tables: readonly Belongings[]): Readonly<Record<string, unknown>> {
  const definitions = tables.map(({ table, columns }) => [
    table,
    {
      type: 'array',
      items: {
        type: 'object',
        properties: Object.fromEntries(columns.map((column) => [column.name, typeOf(column)])),
        required: columns.map(({ name }) => name),
        additionalProperties: false,
      },
    },
  ])
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', $defs: Object.fromEntries(definitions) }
}
