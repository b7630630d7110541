/**
 * Stands in for zod in the browser's build (vite.config.ts): the client takes method, path and types from the
 * contract's endpoints, and the server checks what travels. That keeps 25 KB out of the first screen.
 */
const CHECKS = new Set([
  'parse',
  'safeParse',
  'parseAsync',
  'safeParseAsync',
  'decode',
  'encode',
  'options',
  'shape',
])

const nothing: unknown = new Proxy(() => nothing, {
  get(_, name) {
    if (CHECKS.has(String(name)))
      throw new Error(`The browser's build has no schemas: ${String(name)} is not there.`)
    return nothing
  },
})

export const z = nothing
