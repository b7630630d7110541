import { type RefObject, useCallback, useLayoutEffect, useRef } from 'react'

/** What is read stays where it is when something is put above it: call the returned function just before. */
export function useStill(list: RefObject<HTMLElement | null>): () => void {
  const anchor = useRef<{ element: Element; top: number } | null>(null)
  useLayoutEffect(() => {
    if (!anchor.current) return
    const { element, top } = anchor.current
    if (!element.isConnected) return
    anchor.current = null
    window.scrollBy({ top: element.getBoundingClientRect().top - top, behavior: 'instant' })
  })
  return useCallback(() => {
    const element = [...(list.current?.children ?? [])].find(
      (child) => child.getBoundingClientRect().bottom > 0,
    )
    anchor.current = element ? { element, top: element.getBoundingClientRect().top } : null
  }, [list])
}
