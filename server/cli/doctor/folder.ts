import { access, constants, mkdir, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '../../config.ts'
import { explainFailure } from '../../failures.ts'
import { readKey, secretsFile } from '../../lib/secrets.ts'
import { broken, doubtful, type Finding, fine } from './finding.ts'
import { textOf } from '../../lib/thrown.ts'

const LOW = 200 * 1024 ** 2
const GETTING_LOW = 2 * 1024 ** 3

/** The data folder: ours, writable, closed to others; so are the secrets in it. */
export async function checkFolder({ dataFolder }: Config): Promise<Finding> {
  const probe = join(dataFolder, `.doctor-${process.pid}`)
  try {
    await mkdir(dataFolder, { recursive: true, mode: 0o700 })
    await access(dataFolder, constants.R_OK | constants.W_OK | constants.X_OK)
    await writeFile(probe, '', { flush: true })
    await rm(probe)
  } catch (error) {
    const advice = 'Give the folder to the user Vigil runs as, or set VIGIL_DATA to another one.'
    const said = `${dataFolder} cannot be written: ${textOf(error)}`
    return broken(explainFailure(error)?.found ?? said, explainFailure(error)?.cure ?? advice)
  }
  for (const path of [dataFolder, secretsFile(dataFolder)]) {
    const mode = (await stat(path).catch(() => null))?.mode ?? 0
    if ((mode & 0o077) === 0) continue
    return doubtful(`Others on this machine may look into ${path}.`, `Close it: chmod go-rwx '${path}'`)
  }
  return fine(`${dataFolder} is writable and closed to others.`)
}

/** The key of sessions and links can be read. */
export async function checkSecrets({ dataFolder, VIGIL_SECRET: given }: Config): Promise<Finding> {
  if (given !== undefined) return fine('VIGIL_SECRET is set.')
  const path = secretsFile(dataFolder)
  return fine(readKey(path) === null ? `${path} is made at the first start.` : `${path} holds a key.`)
}

/** Free space and free file entries where the data folder is. */
export async function checkDisk({ dataFolder }: Config): Promise<Finding> {
  const { bavail, bsize, files, ffree } = await statfs(dataFolder).catch(() => statfs(dirname(dataFolder)))
  const free = bavail * bsize
  const found = `${(free / 1024 ** 3).toFixed(1)} GB free for ${dataFolder}.`
  const advice = 'Make room, lower FRAME_RETENTION_DAYS, or move the folder (VIGIL_DATA) to a larger disk.'
  if (free < LOW) return broken(found, `${advice} Below this Vigil only reads.`)
  if (files > 0 && ffree < 10_000)
    return broken(`Only ${ffree} file entries are free for ${dataFolder}.`, advice)
  return free < GETTING_LOW ? doubtful(found, advice) : fine(found)
}
