import { readComments } from './comments.ts'
import { type Metadata, metadataOf } from './metadata.ts'
import { type Embedded, thumbnailsOf } from './thumbnails.ts'

/** What the beginning and the end of a file say of it. */
export interface Said {
  readonly metadata: Metadata
  /** Pictures that the slicer put in. */
  readonly embedded: readonly Embedded[]
}

/** Reads what stands at the beginning and at the end of a G-code file; the end is empty when the file is small. */
export function readGCode(head: Uint8Array, tail: Uint8Array): Said {
  const opening = Buffer.from(head).toString('utf8')
  const ending = Buffer.from(tail).toString('utf8')
  return {
    metadata: metadataOf(opening, ending === '' ? opening : ending),
    embedded: thumbnailsOf(readComments(opening).lines),
  }
}
