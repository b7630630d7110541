import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { asId } from './ids.ts'

export interface TestDatabase {
  readonly url: string
  drop(): Promise<void>
}

/** What this worker clones: the run's, and once a server of this worker has started, one that has its queues, too. */
let template: string | null = null

/**
 * A fresh migrated database of its own, by copying the template's files (about 50 ms). Call once in a test file, and
 * `drop` in afterAll, after closing what is connected. Once a server of this worker has started, its queues stand in it.
 */
export const cloneDatabase = (): Promise<TestDatabase> => makeDatabase(like(template ?? ofRun()))

/** The next clones begin with the queues of this one, whose server has started: writing them is most of a start. */
export async function keepQueues(url: string): Promise<void> {
  if (template !== null) return
  const made = await makeDatabase(like(ofRun()))
  const rows = await inClient(url, async (client) => ({
    queue: (await client.query<object>('select * from pgboss.queue')).rows,
    schedule: (await client.query<object>('select * from pgboss.schedule')).rows,
  }))
  await inClient(made.url, async (client) => {
    for (const table of ['queue', 'schedule'] as const)
      await client.query(
        `insert into pgboss.${table} select * from json_populate_recordset(null::pgboss.${table}, $1) on conflict do nothing`,
        [JSON.stringify(rows[table].map((row) => ({ ...row, created_on: 'now', updated_on: 'now' })))],
      )
  })
  template = nameOf(made.url)
}

/** One without tables. */
export const emptyDatabase = (): Promise<TestDatabase> => makeDatabase('template template0')

async function makeDatabase(how: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await asAdmin(`create database ${name} ${how}`)
  return {
    url: databaseUrl(name),
    drop: () => asAdmin(`drop database if exists ${name} with (force)`),
  }
}

const like = (name: string) => `template ${name} strategy file_copy`
const nameOf = (url: string) => new URL(url).pathname.slice(1)
const ofRun = () => nameOf(inject(asId('postgresUrl')))

/** Who makes and drops, for all files of this worker: the next file makes its database as the one before has dropped its own. */
let admin: pg.Pool | null = null

async function asAdmin(statement: string): Promise<void> {
  admin ??= new pg.Pool({ connectionString: databaseUrl('postgres'), allowExitOnIdle: true })
  await admin.query(statement)
}

async function inClient<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function databaseUrl(name: string): string {
  const url = new URL(inject(asId('postgresUrl')))
  url.pathname = `/${name}`
  return url.href
}
