import { useEffect } from 'react'

/** What a glance at the tab tells; neither: the brand's own mark. */
export interface TabSign {
  alert: boolean
  paused: boolean
}

/** In 32 x 32: a triangle for an alert, two bars for a pause, both for both. */
export function drawSign({ alert, paused }: TabSign, bad: string, warn: string): string | null {
  if (!alert && !paused) return null
  const bars = alert ? 'M11 15h4v11h-4zM17 15h4v11h-4z' : 'M6 4h8v24H6zM18 4h8v24h-8z'
  const inside = paused ? bars : 'M14 12h4v9h-4zM14 23h4v4h-4z'
  const triangle = alert ? `<path d="M16 1l16 29H0z" fill="${bad}"/>` : ''
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${triangle}<path d="${inside}" fill="${alert ? '#fff' : warn}"/></svg>`
}

/** What the page tells of its printers, and what is told of all of them. */
const told: { page?: TabSign; account?: TabSign } = {}
/** The brand's own mark. */
let own = ''

/** The page's own alert goes before another printer's, and that before all else. */
const shownSign = ({ page, account }: typeof told): TabSign | undefined =>
  !page?.alert && account?.alert ? account : page

/** Whether the page itself tells of an alert. */
export const doesPageTell = () => told.page?.alert === true

function show(): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  if (!icon) return
  if (!icon.href.startsWith('data:')) own = icon.href
  const style = getComputedStyle(document.documentElement)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  const sign = shownSign(told)
  const drawn = sign && drawSign(sign, colour('--v-bad'), colour('--v-warn'))
  icon.href = drawn ? `data:image/svg+xml,${encodeURIComponent(drawn)}` : own
}

/** The tab's icon tells of an alert and of a pause, for as long as there is one. */
export function useTabIcon({ alert, paused }: TabSign, by: keyof typeof told = 'page'): void {
  useEffect(() => {
    told[by] = { alert, paused }
    show()
    return () => {
      delete told[by]
      show()
    }
  }, [alert, paused, by])
}
