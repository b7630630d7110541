import { fieldsOf } from '@vigil/contract/fields.ts'

/** A message of a chat that is kept, as it is shown. */
export interface Said {
  readonly isOwn: boolean
  readonly content: string
  readonly changes: readonly { label: string; before: string | null; after: string }[]
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Reads the messages of a chat, whichever page kept them; what cannot be read is left out. */
export function saidIn(messages: string): Said[] {
  let kept: unknown
  try {
    kept = JSON.parse(messages)
  } catch {
    return []
  }
  return listOf(kept).flatMap((message): Said[] => {
    const { role, content, changes } = fieldsOf(message)
    const words = typeof content === 'string' ? content.trim() : ''
    const read = listOf(changes).flatMap((change) => {
      const { label, before, after } = fieldsOf(change)
      if (typeof label !== 'string' || typeof after !== 'string') return []
      return [{ label, before: typeof before === 'string' ? before : null, after }]
    })
    if ((role !== 'user' && role !== 'assistant') || (words === '' && read.length === 0)) return []
    return [{ isOwn: role === 'user', content: words, changes: read }]
  })
}
