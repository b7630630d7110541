import { z } from 'zod'
import { Text, text } from '../../../http/texts.ts'

/** Begins what we say ourselves; taken out of what receivers say. */
const OURS = '\u0001'
const FILE = 'notifications-server'
const MOST = 500
const VALUE_MOST = 200

/** A key and its values. */
const ours = z.tuple([z.string(), z.record(z.string(), z.union([z.string(), z.number()]))])

/** Why a message was not accepted, as it is kept: a sentence of ours by its key and values, a receiver's as it was said. */
export function keptProblem(said: string | Text): string {
  if (!(said instanceof Text)) return said.replaceAll(OURS, '').slice(0, MOST)
  const values = Object.entries(said.params).map(([name, value]) => [
    name,
    typeof value === 'number' ? value : String(value).slice(0, VALUE_MOST),
  ])
  return OURS + JSON.stringify([said.key, Object.fromEntries(values)])
}

/** What was kept, to be worded for who reads it; rows from before, and receivers' words, as they are. */
export function problemText(kept: string): string | Text {
  if (!kept.startsWith(OURS)) return kept
  const [key, values] = ours.parse(JSON.parse(kept.slice(1)))
  return text(FILE, key, values)
}
