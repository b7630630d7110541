import { useEffect, useState } from 'react'

/** A window that loses the focus for a moment goes on. */
const GRACE_MS = 5_000

/** Whether somebody may be looking: the window has the focus, or the picture floats above others. */
export function useInUse(): boolean {
  const [inUse, setInUse] = useState(() => !document.hidden)
  useEffect(() => {
    let timer: number | undefined
    const leave = () => {
      window.clearTimeout(timer)
      timer = window.setTimeout(() => setInUse(document.pictureInPictureElement != null), GRACE_MS)
    }
    const come = () => {
      window.clearTimeout(timer)
      setInUse(true)
    }
    const follow = () => (document.hidden ? leave() : come())
    const land = () => {
      if (!document.hasFocus()) leave()
    }
    window.addEventListener('blur', leave)
    window.addEventListener('focus', come)
    document.addEventListener('visibilitychange', follow)
    document.addEventListener('leavepictureinpicture', land, true)
    return () => {
      window.clearTimeout(timer)
      window.removeEventListener('blur', leave)
      window.removeEventListener('focus', come)
      document.removeEventListener('visibilitychange', follow)
      document.removeEventListener('leavepictureinpicture', land, true)
    }
  }, [])
  return inUse
}
