import { useEffect, useState } from 'react'

/** When what calls this goes, the focus goes back to where it was, unless it went elsewhere. */
export function useFocusBack(): void {
  const [opener] = useState(() => document.activeElement)
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
