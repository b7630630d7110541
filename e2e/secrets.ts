import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Request, Response } from 'playwright-core'

/**
 * What journeys use that is secret is gathered as they run, and looked for in the logs of their servers when all have run
 * (servers.global.ts): it may stand in none.
 */

/** In a run's folder of servers; each line a secret with its kind. */
const LIST = 'secrets.jsonl'
/** What a log is called, beside the data folder of its server or in it. */
const LOG = '.log'
const SHOWN = 300

/** Fields of bodies and queries, by their names. */
const KINDS = [
  [/passw/i, 'password'],
  [/passcode/i, 'passcode'],
  [/token|ticket/i, 'token'],
  [/secret/i, 'secret'],
  [/(?:^|_|api)key$/i, 'key'],
  [/(?:^|_)codes?$/i, 'code'],
] as const
/** Of rows that hold one as it is given: what agents and apps have is seen by no browser. */
const COLUMNS = [
  ['token of an agent', 'printers', 'auth_token'],
  ['link code', 'verification_codes', 'code'],
  ['share link', 'shared_resources', 'share_token'],
  ['link to a print', 'print_links', 'share_token'],
  ['link below letters', 'users', 'unsub_token'],
  ['address of a phone', 'mobile_devices', 'device_token'],
  ['key of push', 'push_keys', 'private_key'],
  ['secret of an authenticator', 'totp_factors', 'secret'],
] as const

const CODE = /^\d{6}$/
/** Shorter ones are words that anybody says. */
const SHORTEST = 8
/** Part of a longer word, too. */
const LONG = 16
const WORD = /[\w-]{8,400}/g
/** As words of a log have it: numbers of its own stand behind a colon. */
const CODES = /(?<=[/="' ])\d{6}(?![\d.])/g
const PLAIN = /^[\w-]{1,400}$/
/** A part of a path that nobody could guess; files of pages have an ending. */
const UNGUESSED = /^(?=.{0,399}\d)[\w-]{16,400}$/
/** What everybody asks for by names that everybody knows: files of pages, offers of partners. */
const OPEN = /^\/(?:media|static|assets|locales|ent\/partners)\//

const isSecret = (kind: string, value: string): boolean =>
  CODE.test(value) || (value.length >= SHORTEST && (kind === 'password' || /\d/.test(value)))

/** Remembers secrets of the journeys of a run, each once. */
export function openSecrets(folder: string) {
  const known = new Set<string>()
  function keep(kind: string, value: string): void {
    if (known.has(value) || !isSecret(kind, value)) return
    known.add(value)
    appendFileSync(join(folder, LIST), `${JSON.stringify([value, kind])}\n`)
  }
  const keepNamed = (name: string, value: string): void => {
    const kind = KINDS.find(([pattern]) => pattern.test(name))?.[1]
    if (kind !== undefined) keep(kind, value)
    const { username = '', password = '' } = URL.canParse(value) ? new URL(value) : {}
    keep('password', username)
    keep('password', password)
  }
  function keepBody(text: string | null): void {
    try {
      JSON.parse(text ?? '', (name, value: unknown) => {
        if (typeof value === 'string') keepNamed(name, value)
        if (name.endsWith('codes') && Array.isArray(value)) for (const one of value) keep('code', String(one))
        return value
      })
    } catch {
      // nothing of ours
    }
  }
  function keepAddress(url: string): void {
    const { pathname, searchParams, hash } = new URL(url)
    for (const [name, value] of [...searchParams, ...new URLSearchParams(hash.slice(1))])
      keepNamed(name, value)
    if (!OPEN.test(pathname))
      for (const part of pathname.split('/')) if (UNGUESSED.test(part)) keep('address', part)
  }
  async function keepAnswer(request: Request, answer: Response): Promise<void> {
    const isGiven = request.method() !== 'GET' || answer.url().includes('verificationcode')
    if (!isGiven && answer.status() !== 302) return
    for (const { name, value } of await answer.headersArray())
      if (name.toLowerCase() === 'set-cookie') keep('cookie', /=([^;]{16,400})/.exec(value)?.[1] ?? '')
    if (isGiven && /json/.test(answer.headers()['content-type'] ?? '')) keepBody(await answer.text())
  }
  return {
    keep,
    /** All that this browser asks for, and is given. */
    watch(context: BrowserContext): void {
      context.on('request', (request) => {
        keepAddress(request.url())
        keepBody(request.postData())
      })
      // a page that has gone takes its answers along
      context.on('response', (answer) => void keepAnswer(answer.request(), answer).catch(() => undefined))
      context.on('page', (page) => page.on('websocket', (socket) => keepAddress(socket.url())))
    },
    /** What a server's own database has. */
    async keepRows(query: (sql: string) => Promise<{ rows: { value: string | null }[] }>): Promise<void> {
      for (const [kind, table, column] of COLUMNS)
        for (const { value } of (await query(`select ${column} as value from ${table}`)).rows)
          if (value !== null) keep(kind, value)
    },
  }
}

/** Where secrets stand in a log: the kind, and the line without the secret. */
export function secretsIn(log: string, secrets: ReadonlyMap<string, string>): string[] {
  const [words, codes] = [new Set(log.match(WORD)), new Set(log.match(CODES))]
  const all = [...words].join('\n')
  const stands = (value: string): boolean => {
    if (CODE.test(value)) return codes.has(value)
    if (!PLAIN.test(value)) return log.includes(value) || log.includes(encodeURIComponent(value))
    return value.length < LONG ? words.has(value) : all.includes(value)
  }
  return [...secrets].flatMap(([value, kind]) => {
    if (!stands(value)) return []
    const line = log.split('\n').find((one) => one.includes(value) || one.includes(encodeURIComponent(value)))
    const at = line?.indexOf(value) ?? 0
    const shown = line?.replaceAll(value, '***').slice(Math.max(0, at - SHOWN), at + SHOWN)
    return [`${kind}: ${shown?.trim()}`]
  })
}

/** Every log below a run's folder of servers. */
function* logsIn(folder: string, depth = 2): Generator<string> {
  for (const one of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, one.name)
    if (one.isFile() && one.name.endsWith(LOG)) yield path
    else if (one.isDirectory() && depth > 0 && (depth === 2 || one.name === 'log'))
      yield* logsIn(path, depth - 1)
  }
}

/** How many secrets the journeys had; raises an error that names those that were written down. */
export function requireSilence(folder: string): number {
  const list = join(folder, LIST)
  const lines = existsSync(list) ? readFileSync(list, 'utf8').trim().split('\n') : []
  const secrets = new Map(lines.map((line) => JSON.parse(line) as [string, string]))
  const found = [...logsIn(folder)].flatMap((log) => secretsIn(readFileSync(log, 'utf8'), secrets))
  if (found.length > 0)
    throw new Error(
      `${found.length} secrets of journeys stand in the servers' logs:\n${found.slice(0, 20).join('\n')}`,
    )
  return secrets.size
}
