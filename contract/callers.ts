import type { Caller } from './endpoint.ts'

/** People, and the API keys that may do the same (docs/rules/people.md 15). */
export const readers = ['session', 'oauth', 'key:read'] as const satisfies readonly Caller[]
export const operators = ['session', 'oauth', 'key:operate'] as const satisfies readonly Caller[]
export const managers = ['session', 'oauth', 'key:manage'] as const satisfies readonly Caller[]
