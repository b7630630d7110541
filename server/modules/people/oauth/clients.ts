/** A program that may ask people to be let in; none has a secret. */
export interface Client {
  readonly id: string
  readonly name: string
  /** The path of our own page that hands the token over, below our address. */
  readonly resultPath: `/${string}/`
  /** Paths on the person's own computer where the program may listen, at any port (RFC 8252, 7.3). */
  readonly loopbackPaths: readonly string[]
  /** Ours: whoever signs in from it is not asked. */
  readonly isTrusted?: true
}

const CLIENTS: readonly Client[] = [
  {
    id: 'OrcaSlicer',
    name: 'OrcaSlicer',
    resultPath: '/orca_slicer/authorized/',
    loopbackPaths: ['/', '/callback'],
  },
  {
    id: 'JusPrin',
    name: 'JusPrin',
    resultPath: '/orca_slicer/authorized/',
    loopbackPaths: [],
    isTrusted: true,
  },
]

export const clientById = (id: unknown): Client | null => CLIENTS.find((client) => client.id === id) ?? null

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Where a client's answer goes: our own page below `root`, unless another address is asked for. Null for any that
 * is not exactly the page, or the client's on the person's own computer: nobody is ever led elsewhere.
 */
export function redirectOf(client: Client, asked: unknown, root: string): string | null {
  const own = root + client.resultPath
  if (asked === undefined || asked === '' || asked === own) return own
  if (typeof asked !== 'string' || asked.length > 500 || !URL.canParse(asked)) return null
  const { protocol, hostname, username, password, pathname, search, hash, href } = new URL(asked)
  const isPlain = protocol === 'http:' && username + password + search + hash === '' && !asked.endsWith('#')
  if (!isPlain || !LOOPBACK.has(hostname) || !client.loopbackPaths.includes(pathname)) return null
  // As it was written, but for the slash of an empty path: what is shown is what is gone to.
  return href === asked || href === `${asked}/` ? href : null
}

/** The address of an answer: a token travels behind `#`, which no server is told; a code, good for who asked alone, and a refusal as a query. */
export function answered(redirect: string, answer: Readonly<Record<string, string | undefined>>): string {
  const words = new URLSearchParams()
  for (const [name, value] of Object.entries(answer)) if (value !== undefined) words.set(name, value)
  return `${redirect}${'error' in answer || 'code' in answer ? '?' : '#'}${words.toString()}`
}
