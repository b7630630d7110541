import { keptBy } from '../../../lib/of-server.ts'

/** A record of ours as it stands in `live` or came as a message; null when there is none. */
export const parse = <T>(bytes: Buffer | null): T | null =>
  bytes === null ? null : (JSON.parse(bytes.toString()) as T)

/** What was read once is not read again while its bytes are the same. */
const read = keptBy((bytes: Buffer): unknown => JSON.parse(bytes.toString()))

/** The same of a value that is asked for again and again. Nobody changes it: others read it too. */
export const parseKept = <T>(bytes: Buffer | null): T | null => (bytes === null ? null : (read(bytes) as T))
