import { z } from 'zod'

/** Ways to show a second factor. */
export const factor = z.enum(['totp', 'passkey', 'recovery'])
export type Factor = z.infer<typeof factor>

/** The password was right, a factor is wanted: `ticket` stands for the first step, for ten minutes. */
export const secondFactor = z
  .object({
    detail: z.string(),
    reason: z.literal('second_factor'),
    ticket: z.string(),
    factors: z.array(factor),
  })
  .meta({ id: 'SecondFactor' })
export type SecondFactor = z.infer<typeof secondFactor>

/** Something dangerous is wanted of a session that has shown nothing for a while. */
export const proofWanted = z
  .object({
    detail: z.string(),
    reason: z.literal('proof_wanted'),
    /** Empty: the password will do. */
    factors: z.array(factor),
    has_password: z.boolean(),
  })
  .meta({ id: 'ProofWanted' })
export type ProofWanted = z.infer<typeof proofWanted>
