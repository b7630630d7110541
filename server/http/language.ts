import type { Language } from './texts.ts'

const known = (tag: string): Language | null => {
  const word = tag.trim().toLowerCase()
  if (word === 'zh' || /^zh[-_]/.test(word)) return 'zh'
  return word === 'en' || /^en[-_]/.test(word) ? 'en' : null
}

/** The first language of ours in `Accept-Language`, by its weights. */
function negotiate(header: string): Language | null {
  const tags = header
    .slice(0, 500)
    .split(',')
    .map((part) => {
      const [tag = '', ...rest] = part.split(';')
      const weight = rest.map((word) => /^\s*q\s*=\s*([\d.]+)\s*$/.exec(word)?.[1]).find(Boolean)
      return { language: known(tag), weight: weight === undefined ? 1 : Number(weight) }
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
  return tags.find(({ language }) => language !== null)?.language ?? null
}

/** The language to answer in: what was asked for, else what was chosen in this browser, else the user's own, else the browser's, else English. */
export function pickLanguage(preferred: {
  asked?: string | undefined
  chosen?: string | undefined
  own?: Language | null | undefined
  accepted?: string | undefined
}): Language {
  return (
    (preferred.asked && known(preferred.asked)) ||
    (preferred.chosen && known(preferred.chosen)) ||
    preferred.own ||
    (preferred.accepted && negotiate(preferred.accepted)) ||
    'en'
  )
}
