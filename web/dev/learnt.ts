import type { Learnt } from '@vigil/contract/learnt.ts'

/** What the pictures' printers have learnt of their cameras. */
export const learnt = (): Learnt => ({
  sound_answers: 2,
  last_sound_answer: new Date(Date.now() - 7_200_000).toISOString(),
  dismissed: 0.05,
  confirmed_failures: 1,
  seconds: 41_000,
})
