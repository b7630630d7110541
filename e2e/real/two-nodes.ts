import { randomBytes } from 'node:crypto'
import { openRedis } from '../../server/test/faults/nodes.ts'
import { cloneDatabase } from '../../server/test/pg.ts'
import { closeBrowser } from '../browsers.ts'
import { aPerson, type Person, takeFirstAccount } from '../support.ts'
import { startVigil, type Vigil } from '../vigil.ts'

/** How tunnels are told apart, as a browser has the app open: two ways lead to one node, the third to the other. */
export const WAYS = {
  names: /^http:\/\/[0-9a-f]{16}\.localhost:\d+$/,
  ports: /^http:\/\/127\.0\.0\.1:2938\d$/,
  subdomains: /^http:\/\/[0-9a-f]{16}\.tunnels\.vigil\.localhost:\d+$/,
} as const
export type Way = keyof typeof WAYS

export interface TwoNodes {
  /** It serves `names` and `ports`. */
  readonly a: Vigil
  /** It serves `subdomains`. */
  readonly b: Vigil
  /** The owner, where the first account was made. */
  readonly owner: Person
  /** The app's origin. */
  app(way: Way): string
  /** The owner in a fresh browser, signed in however the app is opened. */
  aBrowser(): Promise<Person>
  stop(): Promise<void>
}

/** Two nodes on one PostgreSQL and one Redis. Null, with a plain word, where there is no Redis. */
export async function startTwoNodes(): Promise<TwoNodes | null> {
  const redis = await openRedis()
  if (redis === null) return null
  const database = await cloneDatabase()
  const env = {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    VIGIL_SECRET: randomBytes(32).toString('hex'),
  }
  const a = await startVigil({ ...env, OCTOPRINT_TUNNEL_PORT_RANGE: '29380-29383' })
  const owner = await aPerson()
  await takeFirstAccount(owner.page, a)
  const b = await startVigil({ ...env, TUNNEL_DOMAIN: 'vigil.localhost' })
  const at = (host: string, { address }: Vigil) => `http://${host}:${new URL(address).port}`
  const apps = { names: at('localhost', a), ports: at('127.0.0.1', a), subdomains: at('vigil.localhost', b) }
  return {
    a,
    b,
    owner,
    app: (way) => apps[way],
    async aBrowser() {
      const { cookies } = await owner.page.context().storageState()
      const domains = Object.values(apps).map((app) => new URL(app).hostname)
      const everywhere = domains.flatMap((domain) => cookies.map((one) => ({ ...one, domain })))
      return await aPerson({
        serviceWorkers: 'allow',
        locale: 'en-US',
        storageState: { cookies: everywhere, origins: [] },
      })
    },
    async stop() {
      await closeBrowser()
      await Promise.all([a.stop(), b.stop()])
      await redis.close()
      await database.drop()
    },
  }
}
