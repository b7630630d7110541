import { fieldsOf } from '@vigil/contract/fields.ts'
import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, textOf } from './thrown.ts'

/** The key is there and cannot be used; `message` says why, and how to mend it. */
export class CannotReadSecret extends Error {
  override readonly name = 'CannotReadSecret'
  constructor(path: string, why: string, options?: ErrorOptions) {
    const cure = 'Put it back from a copy, and let the user Vigil runs as read it.'
    const last = 'Without a copy move it away: a new key is made, and everybody signs in again.'
    super(`${path}, the key of sessions and links, cannot be used: ${why}. ${cure} ${last}`, options)
  }
}

/**
 * The key that signs and encrypts: from the environment, else made once in the data folder, for its owner alone.
 * There is no default. Raises `CannotReadSecret`.
 */
export function readSecret(options: { dataFolder: string; fromEnvironment?: string | undefined }): string {
  if (options.fromEnvironment !== undefined) return options.fromEnvironment
  const path = secretsFile(options.dataFolder)
  mkdirSync(options.dataFolder, { recursive: true, mode: 0o700 })
  return readKey(path) ?? createKey(path)
}

export const secretsFile = (dataFolder: string) => join(dataFolder, 'secrets.json')

/** The key in the file; null when there is none yet. Raises `CannotReadSecret`. */
export function readKey(path: string): string | null {
  let content: string
  try {
    content = readFileSync(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw new CannotReadSecret(path, textOf(error), { cause: error })
  }
  const key = keyIn(content)
  if (key === null) throw new CannotReadSecret(path, 'it holds no VIGIL_SECRET of 32 characters')
  return key
}

function keyIn(content: string): string | null {
  try {
    const { VIGIL_SECRET: key } = fieldsOf(JSON.parse(content))
    return typeof key === 'string' && key.length >= 32 ? key : null
  } catch {
    return null
  }
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
    if (codeOf(error) !== 'EEXIST') throw error
    return readKey(path)!
  } finally {
    rmSync(draft, { force: true })
  }
}
