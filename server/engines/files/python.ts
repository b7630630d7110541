import { existsSync } from 'node:fs'
import { join } from 'node:path'

const INSTALLED = join(import.meta.dirname, '../../../.vigil/printers')

/** An S3 server for tests. */
export interface TestS3 {
  readonly url: string
  stop(): void
}

/** The Python of an environment that `./vigil test` makes (`scripts/printers`). Raises where it is not there. */
export function pythonOf(name: 'moto' | 'swift'): string {
  const python = join(INSTALLED, name, 'bin/python')
  if (!existsSync(python)) throw new Error(`${name} is not there: ./vigil test installs it`)
  return python
}
