import { readComments } from './comments.ts'
import { type Metadata, metadataOf } from './metadata.ts'
import type { Moved } from './moves.ts'
import { type Embedded, thumbnailsOf } from './thumbnails.ts'

/** What a file says of itself, and what its moves come to. */
export interface Said {
  readonly metadata: Metadata
  /** Pictures that the slicer put in. */
  readonly embedded: readonly Embedded[]
}

/**
 * Reads what stands at the beginning and at the end of a G-code file; the end is empty when the beginning is all of it. `moved` is
 * what its moves come to, where all of them were followed.
 */
export function readGCode(head: Uint8Array, tail: Uint8Array, moved: Moved | null): Said {
  const opening = Buffer.from(head).toString('utf8')
  const ending = Buffer.from(tail).toString('utf8')
  // A line that was cut says something else than the whole one.
  const isCut = ending !== ''
  const metadata = isCut
    ? metadataOf(
        opening.slice(0, opening.lastIndexOf('\n') + 1),
        ending.slice(ending.indexOf('\n') + 1),
        moved,
      )
    : metadataOf(opening, '', moved)
  return { metadata, embedded: thumbnailsOf(readComments(opening).lines) }
}
