/** The words that were typed, in no case. */
const words = (text: string) => text.toLowerCase().split(/\s+/).filter(Boolean)

/** Whether a text has each of the words that were typed, in any order and case. */
export function hasWords(text: string, typed: string): boolean {
  const said = text.toLowerCase()
  return words(typed).every((word) => said.includes(word))
}

/** Whether it begins with them. */
export const beginsWith = (text: string, typed: string): boolean =>
  text.toLowerCase().startsWith(words(typed).join(' '))
