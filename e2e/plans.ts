import pg from 'pg'
import { openEmbedded } from '../server/engines/db/embedded.ts'
import type { Vigil } from './support.ts'

/** Nobody has Pro any more: the plans that would say so are still to come. */
export async function takePro({ dataFolder }: Vigil): Promise<void> {
  const log = { info() {}, warn: console.warn, error: console.error }
  const database = await openEmbedded({ dataFolder, log })
  const client = new pg.Client(database.url)
  await client.connect()
  await client.query('update users set is_pro = false')
  await client.end()
  await database.release()
}
