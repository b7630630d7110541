import { existsSync } from 'node:fs'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import type { Config } from '../../config.ts'
import { CannotBackUp } from '../db/backup.catalog.ts'
import { openFolder } from '../files/folder.ts'
import type { Files, FileStat } from '../files/port.ts'
import { openS3 } from '../files/s3.ts'
import { makeKey, newPlaceId, NO_SEAL, type Seal, unwrapKey } from './seal.ts'

/** Says what the place is; without it there is no backup there. */
const MARK = 'vigil.json'
/** The folder that is ours in a folder that somebody names. */
const OURS = 'vigil-backups'

const markShape = z.object({
  format: z.literal('vigil backups 1'),
  id: z.string(),
  /** The key of everything else, wrapped by the passphrase; null: nothing is sealed. */
  key: z.string().nullable(),
})

/** Where backups are kept: a folder, or a bucket of an S3 server. Names are ours; what is sealed there is open here. */
export interface Place {
  readonly id: string
  /** For people. */
  readonly name: string
  readonly isSealed: boolean
  put(path: string, content: Uint8Array | Readable): Promise<void>
  /** Null when there is no such file. */
  get(path: string): Promise<Readable | null>
  stat(path: string): Promise<FileStat | null>
  remove(path: string): Promise<void>
  removeAll(folder: string): Promise<void>
  list(folder: string): AsyncIterable<string>
  /** Where a content of this SHA-256 is kept. */
  objectPath(sha256: string): string
  close(): Promise<void>
}

/** What of the settings says where backups go. */
export type PlaceSettings = Pick<
  Config,
  | 'BACKUP_TO'
  | 'BACKUP_PASSPHRASE'
  | 'BACKUP_S3_ACCESS_KEY_ID'
  | 'BACKUP_S3_SECRET_ACCESS_KEY'
  | 'S3_ACCESS_KEY_ID'
  | 'S3_SECRET_ACCESS_KEY'
  | 'S3_REGION'
>

/**
 * Opens the place of `BACKUP_TO`; one that holds nothing of ours is begun there unless `onlyKnown`. Raises
 * `CannotBackUp` in words for the operator.
 */
export async function openPlace(config: PlaceSettings, { onlyKnown = false } = {}): Promise<Place> {
  const to = config.BACKUP_TO
  if (to === undefined) throw new CannotBackUp('BACKUP_TO is not set: a folder, or the address of a bucket.')
  const { files, container } = await openStore(config, to)
  try {
    const found = await readMark(files, container)
    if (found === null && onlyKnown) throw new CannotBackUp(`${shown(to)} holds no backups of Vigil.`)
    const { id, seal } = found ? await known(found, config) : await begin(files, container, config)
    return placeOf(files, container, { id, seal, name: shown(to) })
  } catch (error) {
    await files.close()
    throw error
  }
}

/** The host and the bucket; a folder as it is. */
const shown = (to: string) => (isAddress(to) ? `${new URL(to).host}${new URL(to).pathname}` : to)

const isAddress = (to: string) => /^https?:\/\//.test(to)

async function openStore(
  config: PlaceSettings,
  to: string,
): Promise<{ files: Files<string>; container: string }> {
  if (!isAddress(to)) {
    if (!existsSync(to))
      throw new CannotBackUp(
        `There is no folder ${to} (BACKUP_TO). Is its disk mounted? Else make the folder.`,
      )
    return { files: await openFolder<string>(to, [OURS]), container: OURS }
  }
  const { origin, pathname } = new URL(to)
  const container = pathname.slice(1).replace(/\/$/, '')
  const options = {
    url: origin,
    region: config.S3_REGION,
    bucketPrefix: '',
    accessKeyId: config.BACKUP_S3_ACCESS_KEY_ID ?? config.S3_ACCESS_KEY_ID,
    secretAccessKey: config.BACKUP_S3_SECRET_ACCESS_KEY ?? config.S3_SECRET_ACCESS_KEY,
  }
  return { files: await openS3<string>(options, [container]), container }
}

type Mark = z.infer<typeof markShape>

async function readMark(files: Files<string>, container: string): Promise<Mark | null> {
  const content = await files.get({ container, path: MARK })
  if (content === null) return null
  const mark = markShape.safeParse(parsed(await text(content)))
  if (!mark.success) throw new CannotBackUp(`${MARK} of the backups cannot be read: it is damaged, or newer.`)
  return mark.data
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}

async function known({ id, key }: Mark, { BACKUP_PASSPHRASE: given }: PlaceSettings) {
  if (key === null && given !== undefined)
    throw new CannotBackUp(
      'BACKUP_PASSPHRASE is set, but the backups there are not sealed. Name a new folder or bucket to begin sealed ones.',
    )
  if (key !== null && given === undefined)
    throw new CannotBackUp('The backups there are sealed: set BACKUP_PASSPHRASE.')
  return { id, seal: key === null || given === undefined ? NO_SEAL : await unwrapKey(key, given) }
}

async function begin(files: Files<string>, container: string, { BACKUP_PASSPHRASE: given }: PlaceSettings) {
  const made = given === undefined ? null : await makeKey(given)
  const mark: Mark = { format: 'vigil backups 1', id: newPlaceId(), key: made?.wrapped ?? null }
  await files.put({ container, path: MARK }, Buffer.from(`${JSON.stringify(mark)}\n`))
  return { id: mark.id, seal: made?.seal ?? NO_SEAL }
}

interface Named {
  readonly id: string
  readonly name: string
  readonly seal: Seal
}

function placeOf(files: Files<string>, container: string, { id, name, seal }: Named): Place {
  const at = (path: string) => ({ container, path: `${path}${seal.suffix}` })
  return {
    id,
    name,
    isSealed: seal !== NO_SEAL,
    async put(path, content) {
      const plain = content instanceof Readable ? content : Readable.from([content])
      await files.put(at(path), seal === NO_SEAL ? content : await seal.seal(plain))
    },
    async get(path) {
      const content = await files.get(at(path))
      return content && (await seal.open(content))
    },
    stat: (path) => files.stat(at(path)),
    remove: (path) => files.remove(at(path)),
    removeAll: (folder) => files.removeAll(container, folder),
    async *list(folder) {
      for await (const path of files.list(container, folder))
        yield path.endsWith(seal.suffix) ? path.slice(0, path.length - seal.suffix.length) : path
    },
    objectPath(sha256) {
      const named = seal.nameOf(sha256)
      return `objects/${named.slice(0, 2)}/${named}`
    },
    close: () => files.close(),
  }
}
