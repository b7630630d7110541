/** Fewer letters than this beside the words that anybody would try first are no password. */
const LEAST_LETTERS = 4
/** Known to everybody who has heard of this server. */
const OURS = ['vigil', 'obico', 'printer', 'password', 'passwort', 'octoprint', 'klipper']

/**
 * Whether a password is little more than a word that anybody would try first: the server's, a brand's, or a part of the address that signs
 * in with it. What a word is turned into by digits and signs counts as that word.
 */
export function isNamesake(
  password: string,
  { email, brands }: { readonly email: string; readonly brands: readonly string[] },
): boolean {
  const parts = email
    .toLowerCase()
    .split(/[^\p{L}]/u)
    .filter((part) => part.length >= LEAST_LETTERS)
  const words = [...OURS, ...brands.map(lettersOf), ...parts].filter((word) => word !== '')
  const letters = lettersOf(password)
  const left = words
    .toSorted((one, other) => other.length - one.length)
    .reduce((text, word) => text.replaceAll(word, ''), letters)
  return left !== letters && left.length < LEAST_LETTERS
}

const lettersOf = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}]/gu, '')
