import { createHmac, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { CannotBackUp } from '../db/backup.catalog.ts'

/** Read by whoever makes or reads backups, not at each start. */
const age = () => import('age-encryption')

/** scrypt's cost (2^16): a third of a second, once for each opening. */
const WORK = 16

/** Seals what goes out and opens what comes back, in the format of `age`: its own program opens it, too. */
export interface Seal {
  /** What is behind the name of a sealed file. */
  readonly suffix: '' | '.age'
  seal(content: Readable): Promise<Readable>
  open(content: Readable): Promise<Readable>
  /** A name for a content that tells nobody without the key what it is the hash of. */
  nameOf(sha256: string): string
}

/** As it comes. */
export const NO_SEAL: Seal = {
  suffix: '',
  seal: (content) => Promise.resolve(content),
  open: (content) => Promise.resolve(content),
  nameOf: (sha256) => sha256,
}

/** A new key, wrapped by a passphrase. */
export async function makeKey(passphrase: string): Promise<{ wrapped: string; seal: Seal }> {
  const { armor, Encrypter, generateX25519Identity } = await age()
  const key = await generateX25519Identity()
  const wrap = new Encrypter()
  wrap.setPassphrase(passphrase)
  wrap.setScryptWorkFactor(WORK)
  return { wrapped: armor.encode(await wrap.encrypt(key)), seal: await sealWith(key) }
}

/** The key that the passphrase has wrapped. Raises `CannotBackUp` when it is another one. */
export async function unwrapKey(wrapped: string, passphrase: string): Promise<Seal> {
  const { armor, Decrypter } = await age()
  const unwrap = new Decrypter()
  unwrap.addPassphrase(passphrase)
  let key: string
  try {
    key = await unwrap.decrypt(armor.decode(wrapped), 'text')
  } catch (error) {
    throw new CannotBackUp(
      'BACKUP_PASSPHRASE is not the passphrase by which these backups were sealed. Nothing was read or written.',
      { cause: error },
    )
  }
  return await sealWith(key)
}

async function sealWith(key: string): Promise<Seal> {
  const { Decrypter, Encrypter, identityToRecipient } = await age()
  const recipient = await identityToRecipient(key)
  return {
    suffix: '.age',
    async seal(content) {
      const out = new Encrypter()
      out.addRecipient(recipient)
      return Readable.fromWeb(await out.encrypt(Readable.toWeb(content)))
    },
    async open(content) {
      const back = new Decrypter()
      back.addIdentity(key)
      try {
        return Readable.fromWeb(await back.decrypt(Readable.toWeb(content)))
      } catch (error) {
        content.destroy()
        throw new CannotBackUp('A sealed file of the backup is damaged: it cannot be opened.', {
          cause: error,
        })
      }
    },
    nameOf: (sha256) => createHmac('sha256', key).update(sha256).digest('hex'),
  }
}

/** A name for a place that no other has. */
export const newPlaceId = (): string => randomBytes(12).toString('hex')
