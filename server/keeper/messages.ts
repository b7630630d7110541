/** What the keeper and its child say to each other; a `connection` travels with its socket. */
export type ToChild =
  | { say: 'start'; databaseUrl: string }
  | { say: 'connection'; id: number }
  | { say: 'stop' }

export type ToKeeper =
  | { say: 'loaded' }
  | { say: 'took'; id: number }
  | { say: 'ready'; setupLink: string | null }
  | { say: 'failed'; message: string }
