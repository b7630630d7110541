import { type RefObject, startTransition, useEffect, useState } from 'react'

const MARGIN = '500px'

/**
 * Whether a place in a long list is on the screen or close to it, and how high it was when it left: what is far
 * away is not drawn, and its place is kept.
 */
export function useNear(
  ref: RefObject<Element | null>,
  initially: boolean,
): { near: boolean; height: number | null } {
  const [place, setPlace] = useState<{ near: boolean; height: number | null }>({
    near: initially,
    height: null,
  })
  useEffect(() => {
    const element = ref.current
    if (!element) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1)
        if (!entry) return
        const { isIntersecting: near, boundingClientRect } = entry
        // Drawing a row of cards must not hold up the scrolling that brings it.
        startTransition(() =>
          setPlace((held) => {
            if (held.near === near) return held
            return { near, height: near ? held.height : boundingClientRect.height }
          }),
        )
      },
      { rootMargin: MARGIN },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return place
}
