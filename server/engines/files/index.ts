import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { counted } from './counted.ts'
import { openFolderFiles } from './folder.ts'
import type { Files } from './port.ts'

/** Opens `files`: S3 when `S3_URL` is set, else the data folder's `files`. What it is asked for is counted. */
export const openFiles = async (config: Config): Promise<Files> => counted(await openPlain(config))

async function openPlain(config: Config): Promise<Files> {
  if (config.S3_URL === undefined) return openFolderFiles(join(config.dataFolder, 'files'))
  const { openS3Files } = await import('./s3.ts')
  return openS3Files({
    url: config.S3_URL,
    region: config.S3_REGION,
    bucketPrefix: config.S3_BUCKET_PREFIX,
    accessKeyId: config.S3_ACCESS_KEY_ID,
    secretAccessKey: config.S3_SECRET_ACCESS_KEY,
  })
}
