import type { PasskeyAnswer, PasskeyMade } from '@vigil/contract/people/factors.ts'
import { z } from 'zod'
import type { Ctx } from '../../../ctx.ts'
import type { Edge } from '../../../http/edge.ts'
import { idOf, type UserId } from '../../../lib/id.ts'
import type { UserRow } from '../users/users.queries.ts'
import { digestOf, hashOf, newToken } from '../../../lib/signing.ts'
import {
  findCredential,
  findPasskeys,
  insertPasskey,
  notePasskey,
  type PasskeyRow,
} from './factors.queries.ts'

/** What was asked of an authenticator waits for so long, and is answered once. */
const ASKED_MS = 5 * 60_000
/** Read when the first passkey is asked for: certificates and their forms weigh as much as the rest of the wing. */
const library = () => import('@simplewebauthn/server')

const asked = z.object({
  challenge: z.string(),
  /** Whose passkey is wanted, or whose a new one becomes; null: anybody's. */
  userId: idOf<'users'>().nullable(),
  kind: z.enum(['get', 'create']),
})
type Asked = z.infer<typeof asked>

/** A passkey is good for the site that it was made at, by its host; no other page is shown it. */
const siteOf = ({ origin }: Edge) => new URL(origin).hostname
const keyOf = (key: string) => `passkey:${digestOf(key)}`

async function remember(ctx: Ctx, question: Asked): Promise<string> {
  const key = newToken()
  await ctx.live.put(keyOf(key), JSON.stringify(question), ASKED_MS)
  return key
}

async function recall(ctx: Ctx, key: string, kind: Asked['kind']): Promise<Asked | null> {
  const kept = await ctx.live.take(keyOf(key))
  const question = kept && asked.parse(JSON.parse(kept.toString()))
  return question?.kind === kind ? question : null
}

const namesOf = (keys: readonly PasskeyRow[]) =>
  keys.map(({ credentialId: id, transports }) => ({ id, transports }))

/** What to ask an authenticator: for one of somebody's passkeys, or, where nobody is known yet, for any. */
export async function askForPasskey(ctx: Ctx, { edge, userId }: { edge: Edge; userId: UserId | null }) {
  const here = siteOf(edge)
  const keys = userId === null ? [] : await findPasskeys(ctx.db, userId)
  const { generateAuthenticationOptions } = await library()
  const options = await generateAuthenticationOptions({
    rpID: here,
    // Alone it has to ask for a finger or a PIN; beside a password it is enough to have it.
    userVerification: userId === null ? 'required' : 'preferred',
    ...(userId === null ? {} : { allowCredentials: namesOf(keys.filter(({ rpId }) => rpId === here)) }),
  })
  return { key: await remember(ctx, { challenge: options.challenge, userId, kind: 'get' }), options }
}

/** The passkey that has answered rightly; null for any other answer. `isAlone`: there was no password. */
export async function passkeyOf(
  ctx: Ctx,
  { key, response }: PasskeyAnswer,
  { edge, isAlone }: { edge: Edge; isAlone: boolean },
): Promise<PasskeyRow | null> {
  const question = await recall(ctx, key, 'get')
  const known = await findCredential(ctx.db, response.id)
  if (question === null || known === undefined) return null
  if (isAlone !== (question.userId === null) || (!isAlone && question.userId !== known.userId)) return null
  const { verifyAuthenticationResponse } = await library()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: question.challenge,
    expectedOrigin: edge.origin,
    expectedRPID: known.rpId,
    requireUserVerification: isAlone,
    credential: {
      id: known.credentialId,
      publicKey: new Uint8Array(known.publicKey),
      counter: known.counter,
    },
  }).catch((error: unknown) => {
    ctx.log.info({ err: error }, 'a passkey did not answer rightly')
    return { verified: false, authenticationInfo: null }
  })
  if (!verified || authenticationInfo === null) return null
  const used = { counter: authenticationInfo.newCounter, lastUsedAt: new Date(ctx.clock.now()) }
  await notePasskey(ctx.db, known.id, used)
  return known
}

/** What to ask an authenticator for a new passkey. */
export async function askForNew(ctx: Ctx, user: UserRow, edge: Edge, brand: string) {
  const { generateRegistrationOptions } = await library()
  const options = await generateRegistrationOptions({
    rpName: brand,
    rpID: siteOf(edge),
    userName: user.email,
    userID: new Uint8Array(hashOf(`passkeys of ${user.id}`)),
    attestationType: 'none',
    excludeCredentials: namesOf(await findPasskeys(ctx.db, user.id)),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
  return {
    key: await remember(ctx, { challenge: options.challenge, userId: user.id, kind: 'create' }),
    options,
  }
}

/** Keeps the new passkey; null for an answer that is not right. */
export async function keepPasskey(
  ctx: Ctx,
  { userId, edge, name, key, response }: PasskeyMade & { userId: UserId; edge: Edge; name: string },
): Promise<PasskeyRow | null> {
  const question = await recall(ctx, key, 'create')
  if (question === null || question.userId !== userId) return null
  const { verifyRegistrationResponse } = await library()
  const made = await verifyRegistrationResponse({
    response,
    expectedChallenge: question.challenge,
    expectedOrigin: edge.origin,
    expectedRPID: siteOf(edge),
    requireUserVerification: false,
  }).catch((error: unknown) => {
    ctx.log.info({ err: error }, 'a new passkey could not be made')
    return { verified: false as const }
  })
  if (!made.verified || made.registrationInfo === undefined) return null
  const { credential } = made.registrationInfo
  const row = await insertPasskey(ctx.db, {
    userId,
    name,
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: [...(credential.transports ?? [])],
    rpId: siteOf(edge),
    createdAt: new Date(ctx.clock.now()),
  })
  return row ?? null
}
