import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { asId } from './ids.ts'

export interface TestDatabase {
  readonly url: string
  drop(): Promise<void>
}

/** Rows of pg-boss: queues, and what fills them by the clock, as the first server of this worker wrote them. */
let queues: Readonly<Record<'queue' | 'schedule', readonly object[]>> | null = null

/**
 * A fresh migrated database of its own, by copying the template's files (about 50 ms). Call once in a test file, and
 * `drop` in afterAll, after closing what is connected. Once a server of this worker has started, its queues stand in it.
 */
export async function cloneDatabase(): Promise<TestDatabase> {
  const database = await makeDatabase((template) => `template ${template} strategy file_copy`)
  const known = queues
  if (known)
    await inClient(database.url, async (client) => {
      for (const table of ['queue', 'schedule'] as const)
        await client.query(
          `insert into pgboss.${table} select * from json_populate_recordset(null::pgboss.${table}, $1) on conflict do nothing`,
          [JSON.stringify(known[table].map((row) => ({ ...row, created_on: 'now', updated_on: 'now' })))],
        )
    })
  return database
}

/** The next clones begin with the queues of this one, whose server has started: writing them is most of a start. */
export async function keepQueues(url: string): Promise<void> {
  queues ??= await inClient(url, async (client) => ({
    queue: (await client.query<object>('select * from pgboss.queue')).rows,
    schedule: (await client.query<object>('select * from pgboss.schedule')).rows,
  }))
}

/** One without tables. */
export const emptyDatabase = (): Promise<TestDatabase> => makeDatabase(() => 'template template0')

async function makeDatabase(how: (template: string) => string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const template = new URL(inject(asId('postgresUrl')))
  await asAdmin(template, `create database ${name} ${how(template.pathname.slice(1))}`)
  return {
    url: databaseUrl(template, name),
    drop: () => asAdmin(template, `drop database if exists ${name} with (force)`),
  }
}

const asAdmin = (template: URL, statement: string): Promise<void> =>
  inClient(databaseUrl(template, 'postgres'), async (client) => void (await client.query(statement)))

async function inClient<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function databaseUrl(like: URL, name: string): string {
  const url = new URL(like)
  url.pathname = `/${name}`
  return url.href
}
