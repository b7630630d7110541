import pg from 'pg'

/** The database of an embedded PostgreSQL, its copy from before an update, and what an update that failed made of it. */
const [OURS, BEFORE, FAILED] = ['vigil', 'vigil_before_update', 'vigil_failed_update']

/** Copies the database as it stands; whoever still uses it is sent away, as PostgreSQL copies none that is in use. */
export async function keepCopy(url: string): Promise<void> {
  await administer(url, async (client) => {
    await client.query(`drop database if exists ${BEFORE} with (force)`)
    await client.query(`alter database ${OURS} with allow_connections false`)
    try {
      await endSessions(client)
      await client.query(`create database ${BEFORE} template ${OURS} strategy file_copy`)
    } finally {
      await client.query(`alter database ${OURS} with allow_connections true`)
    }
  })
}

/**
 * Puts the copy in the place of the database; stopped half-way it is called again. False: there is none, and the database is open
 * again, which a copy that was stopped half-way has left closed.
 */
export async function putCopyBack(url: string): Promise<boolean> {
  return await administer(url, async (client) => {
    await client.query(`drop database if exists ${FAILED} with (force)`)
    const { rows } = await client.query<{ datname: string }>('select datname from pg_database')
    const has = (name: string) => rows.some(({ datname }) => datname === name)
    if (!has(BEFORE)) {
      await client.query(`alter database ${OURS} with allow_connections true`)
      return false
    }
    if (has(OURS)) {
      await client.query(`alter database ${OURS} with allow_connections false`)
      await endSessions(client)
      await client.query(`alter database ${OURS} rename to ${FAILED}`)
    }
    await client.query(`alter database ${BEFORE} rename to ${OURS}`)
    await client.query(`drop database if exists ${FAILED} with (force)`)
    return true
  })
}

/** The update is kept: the copy goes. */
export async function dropCopy(url: string): Promise<void> {
  await administer(url, (client) => client.query(`drop database if exists ${BEFORE} with (force)`))
}

/** Bytes of the database. */
export async function sizeOf(url: string): Promise<number> {
  return await administer(url, async (client) => {
    const { rows } = await client.query<{ bytes: string }>('select pg_database_size($1) as bytes', [OURS])
    return Number(rows[0]?.bytes ?? 0)
  })
}

async function endSessions(client: pg.Client): Promise<void> {
  await client.query(
    'select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
    [OURS],
  )
}

/** A session beside the database itself. */
async function administer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const beside = new URL(url)
  beside.pathname = '/postgres'
  const client = new pg.Client({ connectionString: beside.href, application_name: 'vigil update' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
