import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

/** Who signs in at the provider, as it tells us of them. */
export interface Person {
  readonly sub: string
  readonly email?: string
  readonly email_verified?: boolean
  readonly given_name?: string
  readonly family_name?: string
}

const CLIENT = { client_id: 'vigil', client_secret: 'a-secret-of-the-provider-'.repeat(2) }
const SCOPE = 'openid email profile'

function newKey(kid: string) {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { ...privateKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'ES256' }
}

/** A real provider of OpenID Connect on this machine; whoever comes signs in as the person that was set, or refuses. */
export async function openProvider() {
  let handler: (request: IncomingMessage, response: ServerResponse) => void = (_, response) =>
    response.writeHead(503).end()
  const server = createServer((request, response) => handler(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const issuer = `http://127.0.0.1:${port}`
  const people = new Map<string, Person>()
  let who: Person | null = null
  let keys = 0

  function serve(redirectUri: string) {
    const provider = new Provider(issuer, {
      clients: [
        {
          ...CLIENT,
          redirect_uris: [redirectUri],
          token_endpoint_auth_method: 'client_secret_post',
          id_token_signed_response_alg: 'ES256',
        },
      ],
      jwks: { keys: [newKey(`key-${++keys}`)] },
      cookies: { keys: ['cookies of the provider'] },
      claims: { email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
      pkce: { required: () => true },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_: unknown, accountId: string) => ({
        accountId,
        claims: () => ({ ...people.get(accountId), sub: accountId }),
      }),
      async loadExistingGrant({ oidc }) {
        const grant = new oidc.provider.Grant({
          clientId: oidc.client!.clientId,
          accountId: oidc.session!.accountId!,
        })
        grant.addOIDCScope(SCOPE)
        await grant.save()
        return grant
      },
    })
    const answer = provider.callback()
    handler = (request, response) => {
      if (!request.url?.startsWith('/interaction/')) return void answer(request, response)
      const result = who
        ? { login: { accountId: who.sub } }
        : { error: 'access_denied', error_description: 'No.' }
      void provider.interactionFinished(request, response, result)
    }
  }

  return {
    issuer,
    env: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENT.client_id,
      OIDC_CLIENT_SECRET: CLIENT.client_secret,
      OIDC_NAME: 'House ID',
    },
    /** Begins to answer, or does so with another key. */
    serve,
    /** Answers nobody any more. */
    goAway: () => void (handler = (_, response) => response.destroy()),
    /** Whoever comes now is this person; null: says no. */
    signsIn(person: Person | null) {
      who = person
      if (person) people.set(person.sub, person)
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** A browser: keeps its cookies and follows where it is led. */
export function aVisitor(cookie = '') {
  const jar = new Map<string, string>()
  for (const pair of cookie.split('; ').filter(Boolean)) {
    const at = pair.indexOf('=')
    jar.set(pair.slice(0, at), pair.slice(at + 1))
  }
  const cookies = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  async function step(
    url: string,
    init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
  ) {
    const answer = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { cookie: cookies(), ...init.headers },
    })
    for (const line of answer.headers.getSetCookie()) {
      const [pair = '', ...rest] = line.split(';')
      const at = pair.indexOf('=')
      const isOver = rest.some((word) => /^ *(max-age=0|expires=thu, 01 jan 1970)/i.test(word))
      if (isOver) jar.delete(pair.slice(0, at))
      else jar.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return answer
  }
  return {
    cookies,
    step,
    /** Goes there and on; all addresses on the way, the last one that was reached at the end. */
    async go(url: string): Promise<URL[]> {
      const way = [new URL(url)]
      for (let left = 12; left > 0; left--) {
        const here = way.at(-1)!
        const answer = await step(here.href)
        await answer.arrayBuffer()
        const to = answer.headers.get('location')
        if (to === null) return way
        way.push(new URL(to, here))
      }
      throw new Error(`led in a circle: ${way.join('\n')}`)
    },
  }
}
