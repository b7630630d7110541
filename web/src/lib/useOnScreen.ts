import { type RefObject, useEffect, useState } from 'react'

/** True while the element is on the screen or nearly so. */
export function useOnScreen(ref: RefObject<Element | null>, margin = '120px'): boolean {
  const [onScreen, setOnScreen] = useState(false)
  useEffect(() => {
    const element = ref.current
    if (!element) return undefined
    const observer = new IntersectionObserver(([entry]) => setOnScreen(entry?.isIntersecting ?? false), {
      rootMargin: margin,
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref, margin])
  return onScreen
}
