import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { asId } from './ids.ts'

/**
 * The environment of a Vigil that a test starts: nothing of this process's settings, but the way to programs, and to what has
 * been compiled before, as `./vigil` hands it on.
 */
export function plainEnvironment(dataFolder: string, more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env
  return {
    PATH,
    HOME,
    TMPDIR,
    NODE_COMPILE_CACHE,
    VIGIL_DATA: dataFolder,
    LOG_LEVEL: 'warn',
    HOST: '127.0.0.1',
    ...more,
  }
}

/** Puts a migrated database without rows into a data folder, as a first start would make it: seconds sooner. */
export function prepareFolder(dataFolder: string): void {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
  cpSync(join(inject(asId('preparedFolder')), 'pg'), join(dataFolder, 'pg'), { recursive: true })
}
