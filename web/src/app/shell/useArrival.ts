import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

/** Where the focus is left over from the page before, or nowhere: elsewhere somebody has put it. */
const isLeftOver = (element: Element | null) =>
  element === null || element === document.body || element.closest('nav, aside') !== null

/** Puts the focus on the heading as soon as one stands; returns how to stop that. */
function focusHeading(): () => void {
  const stop = () => {
    observer.disconnect()
    removeEventListener('keydown', stop)
    removeEventListener('pointerdown', stop)
  }
  const look = () => {
    const heading = document.querySelector('h1')
    if (!heading) return
    stop()
    if (!isLeftOver(document.activeElement)) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }
  const observer = new MutationObserver(look)
  observer.observe(document.body, { childList: true, subtree: true })
  // Whoever goes on by themselves is not called back.
  addEventListener('keydown', stop)
  addEventListener('pointerdown', stop)
  look()
  return stop
}

/** On the way to another page the focus moves to its heading, where the keyboard goes on and a screen reader begins. */
export function useArrival(): void {
  const router = useRouter()
  useEffect(() => {
    let stop: (() => void) | null = null
    const leave = router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
      stop?.()
      stop = fromLocation && pathChanged ? focusHeading() : null
    })
    return () => {
      stop?.()
      leave()
    }
  }, [router])
}
