import { useWindowEvent } from '@mantine/hooks'
import { type RefObject, useEffect, useState } from 'react'

/** Full screen, or the whole window where a browser gives no element the screen (phones of Apple). */
export function useFullScreen(ref: RefObject<HTMLElement | null>): { isFull: boolean; toggle: () => void } {
  const [isFull, setFull] = useState(false)
  useEffect(() => {
    const follow = () =>
      setFull(document.fullscreenElement !== null && document.fullscreenElement === ref.current)
    document.addEventListener('fullscreenchange', follow)
    return () => document.removeEventListener('fullscreenchange', follow)
  }, [ref])
  useWindowEvent('keydown', (event) => {
    if (event.key !== 'Escape' || !isFull || event.defaultPrevented) return
    if (document.fullscreenElement) void document.exitFullscreen()
    else setFull(false)
  })
  return {
    isFull,
    toggle() {
      if (document.fullscreenElement) void document.exitFullscreen()
      else if (isFull) setFull(false)
      else if (document.fullscreenEnabled) void ref.current?.requestFullscreen().catch(() => setFull(true))
      else setFull(true)
    },
  }
}
