/** What a letter says of a print that is over: how long it took, how much of it was watched, what was found in that. */
import { howMuch } from '@vigil/contract/watch/watch-code.ts'
import { type Text, text } from '../../../http/texts.ts'
import type { MailBlock } from '../../people/mail/index.ts'
import { whyNotWatched } from '../messages/index.ts'

interface Over {
  readonly print: { readonly seconds: number | null }
  readonly hadAlert: boolean
  readonly watched: { readonly seconds: number; readonly unseen: readonly string[] } | null
}

const say = (key: string, params: Record<string, string | number | Text> = {}) =>
  text('notifications-server', key, params)

/** Hours and minutes, as digits: the same in every language. */
export const clock = (seconds: number) =>
  `${Math.floor(seconds / 3600)}:${String(Math.floor((seconds % 3600) / 60)).padStart(2, '0')} h`

const FOUND = { all: 'hadNoAlerts', part: 'hadNoAlertsPartly', none: 'notWatched' } as const

/** What was found, and in how much of the print: nothing is said of what was not looked at. */
export function foundBlock({ print, hadAlert, watched }: Over): MailBlock[] {
  if (hadAlert) return [{ kind: 'box', tone: 'warn', words: say('hadAlerts') }]
  if (watched === null || print.seconds === null) return []
  const much = howMuch({ ...watched, of: print.seconds })
  return [{ kind: 'box', tone: much === 'all' ? 'good' : 'warn', words: say(FOUND[much]) }]
}

/** `2,551 of 2,863 s; not seen: the picture is too dark`. */
export function watchedFact({ print, watched }: Over): [Text, Text] | null {
  if (watched === null || print.seconds === null) return null
  const seconds = { watched: count(watched.seconds), of: count(print.seconds) }
  const [first, ...others] = watched.unseen.map((code) => whyNotWatched(code))
  if (first === undefined) return [say('factWatched'), say('watchedOf', seconds)]
  const why = others.reduce((said, next) => say('andWhy', { said, next }), first)
  return [say('factWatched'), say('watchedOfBut', { ...seconds, why })]
}

/** Thousands apart, the same in every language of ours. */
const count = (seconds: number) => Math.round(seconds).toLocaleString('en')
