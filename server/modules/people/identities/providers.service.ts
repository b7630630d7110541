import { createPrivateKey, sign } from 'node:crypto'
import type * as Oidc from 'openid-client'
import type { Ctx } from '../../../ctx.ts'
import { NoAnswer, send } from '../../../engines/outgoing/send.ts'
import { ofServer } from '../../../lib/of-server.ts'
import { codeOf, textOf } from '../../../lib/thrown.ts'
import type { AppleKey, Provider } from '../../../lib/providers.ts'

/** Most servers have no provider: it is read by the first who signs in by one. */
const openId = () => import('openid-client')

/** So long is held what a provider says of itself and which keys it signs with; what goes wrong has it asked anew. */
const KEPT_MS = 3_600_000

/** Who somebody is, in the words of their provider. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
  /** Null: the provider does not tell. */
  readonly email: string | null
  /** Whether the provider has seen that the address is theirs. */
  readonly isVerified: boolean
  readonly firstName: string
  readonly lastName: string
}

/** Why somebody is not signed in, as the pages say it. */
export type Trouble =
  | 'away'
  | 'cancelled'
  | 'over'
  | 'closed'
  | 'taken'
  | 'inactive'
  | 'unconfirmed'
  | 'noEmail'

export class ProviderTrouble extends Error {
  override readonly name = 'ProviderTrouble'
  readonly word: Trouble
  constructor(word: Trouble, cause?: unknown) {
    super(word, { cause })
    this.word = word
  }
}

/** What has been begun, and nobody else knows. */
export interface Secrets {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export async function newSecrets(): Promise<Secrets> {
  const { randomState, randomNonce, randomPKCECodeVerifier } = await openId()
  return { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
}

export const providerNamed = ({ config }: Ctx, id: unknown): Provider | null =>
  config.providers.find((one) => one.id === id) ?? null

const knownOf = ofServer(() => new Map<string, { at: number; said: Promise<Oidc.Configuration> }>())

async function configurationOf(ctx: Ctx, provider: Provider): Promise<Oidc.Configuration> {
  const known = knownOf(ctx)
  const now = ctx.clock.monotonic()
  const held = known.get(provider.id)
  if (held !== undefined && now - held.at < KEPT_MS) return await held.said
  const said = discover(ctx, provider)
  known.set(provider.id, { at: now, said })
  return await said
}

async function discover(ctx: Ctx, { issuer, clientId, secret }: Provider): Promise<Oidc.Configuration> {
  const oidc = await openId()
  const auth =
    typeof secret === 'string' ? oidc.ClientSecretPost(secret) : appleAuth(ctx, { app: clientId, ...secret })
  return await oidc.discovery(new URL(issuer), clientId, undefined, auth, {
    [oidc.customFetch]: fetchBy(ctx),
    execute: [
      // The signature is looked at although the token came from the provider itself: a proxy between may be nobody's friend.
      oidc.enableNonRepudiationChecks,
      ...(issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []),
    ],
  })
}

/** Calls as all of ours are made: limited in time and size, no redirect followed. */
const fetchBy =
  ({ config }: Ctx): Oidc.CustomFetch =>
  async (url, { method, headers, body }) => {
    const answer = await send(config, {
      url,
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      body: body instanceof URLSearchParams || typeof body === 'string' ? String(body) : '',
      namedBy: 'vendor',
    })
    const type = answer.headers['content-type']
    return new Response(answer.text === '' ? null : answer.text, {
      status: answer.status,
      headers: type === undefined ? {} : { 'content-type': type },
    })
  }

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** What Apple takes for a secret: a word signed by the key, good for five minutes. */
export function appleSecret({ app, teamId, keyId, pem }: AppleKey & { app: string }, now: number): string {
  const iat = Math.floor(now / 1000)
  const said = { iss: teamId, sub: app, aud: 'https://appleid.apple.com', iat, exp: iat + 300 }
  const words = `${part({ alg: 'ES256', kid: keyId })}.${part(said)}`
  const key = { key: createPrivateKey(pem), dsaEncoding: 'ieee-p1363' } as const
  return `${words}.${sign('sha256', Buffer.from(words), key).toString('base64url')}`
}

const appleAuth =
  ({ clock }: Ctx, key: AppleKey & { app: string }): Oidc.ClientAuth =>
  (_, __, body) => {
    body.set('client_id', key.app)
    body.set('client_secret', appleSecret(key, clock.now()))
  }

/** Where the browser goes to. Raises `ProviderTrouble`. */
export async function addressAt(
  ctx: Ctx,
  provider: Provider,
  { secrets, redirectUri }: { secrets: Secrets; redirectUri: string },
): Promise<string> {
  return await orTrouble(ctx, provider, async (config, oidc) => {
    const isApple = provider.id === 'apple'
    return oidc.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: isApple ? 'openid email name' : 'openid email profile',
      state: secrets.state,
      nonce: secrets.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(secrets.verifier),
      code_challenge_method: 'S256',
      // Apple tells addresses by a form alone.
      ...(isApple ? { response_mode: 'form_post' } : {}),
    }).href
  })
}

/** Who has come back from the provider, at `url`. Raises `ProviderTrouble`. */
export async function identify(
  ctx: Ctx,
  provider: Provider,
  { secrets, url }: { secrets: Secrets; url: URL },
): Promise<Identity> {
  return await orTrouble(ctx, provider, async (config, oidc) => {
    const tokens = await oidc.authorizationCodeGrant(config, url, {
      expectedState: secrets.state,
      expectedNonce: secrets.nonce,
      pkceCodeVerifier: secrets.verifier,
      idTokenExpected: true,
    })
    const said = tokens.claims()
    if (said === undefined) throw new ProviderTrouble('over')
    const { userinfo_endpoint: more } = config.serverMetadata()
    const claims: Readonly<Record<string, unknown>> =
      said['email'] === undefined && more !== undefined
        ? { ...said, ...(await oidc.fetchUserInfo(config, tokens.access_token, said.sub)) }
        : said
    const { email, email_verified: verified } = claims
    return {
      issuer: said.iss,
      subject: said.sub,
      email:
        typeof email === 'string' && /^[^\s@]{1,64}@[^\s@]{1,189}$/.test(email) ? email.toLowerCase() : null,
      // Apple writes it as a word.
      isVerified: verified === true || verified === 'true',
      firstName: nameOf(claims['given_name']),
      lastName: nameOf(claims['family_name']),
    }
  })
}

const nameOf = (word: unknown) => (typeof word === 'string' ? word.replaceAll('\0', '').slice(0, 150) : '')

/** What went wrong, in a word; whatever it was, what we know of the provider is asked anew, its keys too. */
async function orTrouble<T>(
  ctx: Ctx,
  provider: Provider,
  work: (config: Oidc.Configuration, oidc: typeof Oidc) => Promise<T>,
): Promise<T> {
  const oidc = await openId()
  try {
    return await work(await configurationOf(ctx, provider), oidc)
  } catch (error) {
    if (error instanceof oidc.AuthorizationResponseError && error.error === 'access_denied')
      throw new ProviderTrouble('cancelled', error)
    knownOf(ctx).delete(provider.id)
    ctx.log.warn(
      { provider: provider.id, code: codeOf(error), message: textOf(error).slice(0, 200) },
      'a provider did not sign somebody in',
    )
    throw new ProviderTrouble(isAway(error) ? 'away' : 'over', error)
  }
}

const isAway = (error: unknown): boolean =>
  error instanceof Error && (error instanceof NoAnswer || isAway(error.cause) || isBroken(error))

/** It answers, but not as a provider does: an error page, or something else at its address. */
const isBroken = (error: Error): boolean =>
  'code' in error &&
  (error.code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' || error.code === 'OAUTH_RESPONSE_IS_NOT_JSON')
