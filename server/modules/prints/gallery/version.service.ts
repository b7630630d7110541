import { createHash } from 'node:crypto'
import type { Ctx } from '../../../ctx.ts'
import type { Entry } from './gallery.queries.ts'
import { filmOf } from './gallery.rules.ts'

/**
 * A word for what of an entry becomes public, as it is now: name, film, poster, scores. Films are made anew in their places (a camera
 * was turned), and owners name themselves anew, so a decision says which it is of.
 */
export async function versionOf({ files }: Pick<Ctx, 'files'>, entry: Entry): Promise<string> {
  const places = [filmOf(entry), entry.poster, entry.predictionJson]
  const stats = await Promise.all(places.map(async (place) => place && (await files.stat(place))))
  const seen = stats.map((stat) => stat && [stat.numBytes, stat.modifiedAt.getTime()])
  const whole = JSON.stringify([entry.creatorName, entry.consentedAt, seen])
  return createHash('sha256').update(whole).digest('base64url').slice(0, 22)
}
