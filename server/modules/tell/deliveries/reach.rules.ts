/** How a channel does: when it took a message last, and since when (`refusedAt`) it takes none. */
interface Doing {
  readonly acceptedAt: Date | null
  readonly refusedAt: Date | null
}

/** The last try failed. */
export const isFailing = ({ acceptedAt, refusedAt }: Doing): boolean =>
  refusedAt !== null && (acceptedAt === null || acceptedAt < refusedAt)
