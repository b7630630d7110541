import { createRequire } from 'node:module'
import type * as Yaml from 'yaml'

const require = createRequire(import.meta.url)

/** The library that reads YAML, when it is first needed: most starts read none, and it is one in thirty of all modules. */
export const yaml = (): typeof Yaml => require('yaml')
