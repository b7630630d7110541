import { useEffect, useState } from 'react'

/** What the focus stands on; of an entry of a menu, which closes with the press, what opened that menu. */
function openerOf(): Element | null {
  const menu = document.activeElement?.closest('[role="menu"]')
  const label = menu?.getAttribute('aria-labelledby')
  return (label ? document.getElementById(label) : null) ?? document.activeElement
}

/** When what calls this goes, the focus goes back to where it was, unless it went elsewhere. */
export function useFocusBack(): void {
  const [opener] = useState(openerOf)
  useEffect(
    () => () => {
      setTimeout(() => {
        const lost = document.activeElement === null || document.activeElement === document.body
        if (lost && opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true })
      })
    },
    [opener],
  )
}
