/** What a form, a query or a path says under a name; '' where it says nothing, or more than `most` characters. */
export function wordIn(fields: unknown, name: string, most = Infinity): string {
  const value: unknown = typeof fields === 'object' && fields !== null ? Reflect.get(fields, name) : undefined
  return typeof value === 'string' && value.length <= most ? value : ''
}
