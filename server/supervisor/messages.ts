/** What the keeper and its child say to each other; `hold` and `take` travel with the socket that is listened on. */
export type ToChild =
  /** Let those who knock wait in the system's queue, until somebody takes them. */
  | { say: 'hold' }
  | { say: 'start'; databaseUrl: string }
  /** `beside`: another port than the main one. */
  | { say: 'take'; beside: boolean }
  | { say: 'beat' }
  | { say: 'stop'; restarts: boolean }

export type ToKeeper =
  | { say: 'loaded' }
  | { say: 'beat' }
  | { say: 'ready'; setupLink: string | null }
  | { say: 'failed'; message: string }
