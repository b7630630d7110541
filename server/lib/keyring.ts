import { randomUUID } from 'node:crypto'
import { keptBy } from './of-server.ts'

/** A key that signs and seals. The first, number 0, is `VIGIL_SECRET`. */
export interface Key {
  readonly number: number
  readonly secret: string
}

/** The keys of a server as they stand now. */
export interface Keyring {
  /** What is signed and sealed now, is so with this. */
  readonly current: Key
  /** What these have signed counts: the current one, those before it for as long as they overlap, and the one that comes. */
  readonly known: readonly Key[]
  /** What these have sealed is opened: every key that there was. */
  readonly all: readonly Key[]
}

interface Settings {
  readonly VIGIL_SECRET?: string | undefined
}

const standing = keptBy<Settings, { now: Keyring | null }>(() => ({ now: null }))

/** `VIGIL_SECRET` as a key: of it the others are sealed. */
export function rootKey({ VIGIL_SECRET: secret }: Settings): Key {
  if (secret === undefined) throw new Error('VIGIL_SECRET is missing: nothing can be signed.')
  return { number: 0, secret }
}

function ringOf(config: Settings): Keyring {
  const held = standing(config)
  const root = rootKey(config)
  return (held.now ??= { current: root, known: [root], all: [root] })
}

/** From now on this server signs and opens by these keys. */
export function changeKeyring(config: Settings, ring: Keyring): void {
  standing(config).now = ring
}

/** The key that signs and seals now. */
export const currentKey = (config: Settings): Key => ringOf(config).current

/** Whether `isRight` holds of a key whose signatures count. */
export const byKnownKey = (config: Settings, isRight: (secret: string) => boolean): boolean =>
  ringOf(config).known.some(({ secret }) => isRight(secret))

/** What `read` makes of something by the first key whose signatures count and by which it makes anything; null: by none. */
export function readByKnownKey<T>(config: Settings, read: (secret: string) => T | null): T | null {
  for (const { secret } of ringOf(config).known) {
    const it = read(secret)
    if (it !== null) return it
  }
  return null
}

/** The keys whose signatures count, the current one first. */
export const knownKeys = (config: Settings): readonly Key[] => ringOf(config).known

/** Every key that there was, the current one first. */
export const everyKey = (config: Settings): readonly Key[] => ringOf(config).all

/** The id of a link whose word is made by the current key: it says which that is, as its letter may be written when another signs. */
export function newLinkId(config: Settings): string {
  const { number } = currentKey(config)
  const id = randomUUID()
  return number === 0 ? id : `${number.toString(16).padStart(8, '0')}-${id.slice(9, 14)}8${id.slice(15)}`
}

/** The key by which the word of a link is made. */
export function keyOfLink(config: Settings, linkId: string): Key {
  const number = linkId[14] === '8' ? Number.parseInt(linkId.slice(0, 8), 16) : 0
  const key = everyKey(config).find((one) => one.number === number)
  if (key === undefined) throw new Error(`there is no key ${number}: its link has no word`)
  return key
}
