import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { importPKCS8, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { ask, jsonOf, mustAccept } from './http.ts'
import { type Caller, NotAccepted, say } from './port.ts'

const TOKENS = 'https://oauth2.googleapis.com/token'
const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging'
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const HOUR_S = 3600
/** A token is not used in its last minute. */
const SPARE_S = 60

/** What Firebase gives as the key file of a service account. */
const account = z.object({
  project_id: z.string().regex(/^[\w:.-]+$/),
  client_email: z.string(),
  private_key: z.string(),
  private_key_id: z.string().optional(),
})
type Account = z.infer<typeof account>

/** A phone's app may call by this token, to send messages of this project. */
export interface Access {
  readonly project: string
  readonly token: string
  /** It was refused: the next time another one is asked for. */
  forget(): void
}

const tokens = new LRUCache<string, { token: string; until: number }>({ max: 100 })

/** The account that a brand's apps were registered by; raises `NotAccepted`. */
async function accountOf({ env, user }: Caller): Promise<Account> {
  const file = join(env.FIREBASE_KEYS_FOLDER ?? '', `${user.brand}-firebase-admin-key.json`)
  try {
    return account.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new NotAccepted(`the key file of ${user.brand} cannot be read: ${code ?? 'it is none of Firebase'}`)
  }
}

/** Says who we are by a token that is signed with our key, and is given one to call with. */
async function tokenFor(
  message: Caller,
  { client_email: email, private_key: key, private_key_id: id }: Account,
) {
  const now = Math.floor(message.now / 1000)
  const signed = await new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(id === undefined ? {} : { kid: id }) })
    .setIssuer(email)
    .setAudience(TOKENS)
    .setIssuedAt(now)
    .setExpirationTime(now + HOUR_S)
    .sign(await importPKCS8(key, 'RS256'))
  const body = new URLSearchParams({ grant_type: GRANT, assertion: signed })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const call = { url: TOKENS, namedBy: 'vendor', headers, body: body.toString() } as const
  const { access_token: token, expires_in: seconds } = jsonOf(mustAccept(await ask(message, call)))
  if (typeof token !== 'string') throw new NotAccepted(say('noToken'))
  const lasts = typeof seconds === 'number' ? seconds : HOUR_S
  return { token, until: message.now + (lasts - SPARE_S) * 1000 }
}

/** What calls to Firebase need; raises `NotAccepted`. */
export async function accessTo(message: Caller): Promise<Access> {
  const found = await accountOf(message)
  const name = `${found.client_email} ${found.private_key_id ?? ''}`
  const known = tokens.get(name)
  const { token, until } = known && known.until > message.now ? known : await tokenFor(message, found)
  tokens.set(name, { token, until })
  return { project: found.project_id, token, forget: () => void tokens.delete(name) }
}
