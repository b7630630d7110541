import type { TablerIcon } from '@tabler/icons-react'

/** Something that can be gone to. */
export interface Find {
  /** Its address, which is its name in the list, too. */
  readonly to: string
  readonly label: string
  /** What stands beside it, and is looked through as well. */
  readonly note?: string
  /** Of a page its own. */
  readonly icon?: TablerIcon
}

const words = (text: string) => text.toLowerCase().split(/\s+/).filter(Boolean)

/** What has each of the words in its name or beside it, what begins with them first; all where nothing is looked for. */
export function matching<T extends Find>(finds: readonly T[], sought: string, most: number): T[] {
  const wanted = words(sought)
  const found = finds.filter(({ label, note = '' }) => {
    const text = `${label} ${note}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
  const begins = ({ label }: Find) => label.toLowerCase().startsWith(wanted.join(' '))
  return [...found.filter(begins), ...found.filter((one) => !begins(one))].slice(0, most)
}
