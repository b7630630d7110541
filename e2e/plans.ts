import pg from 'pg'
import type { Vigil } from './support.ts'

/** Nobody has Pro any more: the plans that would say so are still to come. */
export async function takePro({ databaseUrl }: Vigil): Promise<void> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  await client.query('update users set is_pro = false')
  await client.end()
}
