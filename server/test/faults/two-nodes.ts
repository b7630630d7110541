import { randomBytes } from 'node:crypto'
import { aNode } from '../app.ts'
import { cloneDatabase } from '../pg.ts'
import type { openRedis } from './nodes.ts'

/** Two nodes on one Redis and one database, and the end of all of them. */
export async function twoNodes(redis: Awaited<ReturnType<typeof openRedis>>) {
  const database = await cloneDatabase()
  const env = { REDIS_URL: redis?.url ?? '', VIGIL_SECRET: randomBytes(32).toString('hex') }
  const a = await aNode(database.url, env)
  const b = await aNode(database.url, env)
  return {
    a,
    b,
    async close() {
      await a.close()
      await b.close()
      await redis?.close()
      await database.drop()
    },
  }
}
