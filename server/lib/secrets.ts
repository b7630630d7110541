import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The key that signs and encrypts: from the environment, else made once in the data folder, for its owner alone.
 * There is no default.
 */
export function readSecret(options: { dataFolder: string; fromEnvironment?: string | undefined }): string {
  if (options.fromEnvironment !== undefined) return options.fromEnvironment
  const path = join(options.dataFolder, 'secrets.json')
  mkdirSync(options.dataFolder, { recursive: true, mode: 0o700 })
  return readKey(path) ?? createKey(path)
}

function readKey(path: string): string | null {
  let content: string
  try {
    content = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  const { VIGIL_SECRET: key } = JSON.parse(content) as { VIGIL_SECRET?: unknown }
  if (typeof key !== 'string' || key.length < 32)
    throw new Error(`${path} holds no VIGIL_SECRET of 32 characters`)
  return key
}

/** Written aside and linked into place: two starters at once end up with the same key. */
function createKey(path: string): string {
  const key = randomBytes(32).toString('base64url')
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify({ VIGIL_SECRET: key }, null, 2)}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(draft, path)
    return key
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return readKey(path)!
  } finally {
    rmSync(draft, { force: true })
  }
}
