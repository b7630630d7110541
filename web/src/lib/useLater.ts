import { useEffect, useState } from 'react'

/** The same text, once it has stood for so many ms; an empty one at once. */
export function useLater(text: string, ms: number): string {
  const [later, setLater] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setLater(text), text === '' ? 0 : ms)
    return () => clearTimeout(timer)
  }, [text, ms])
  return later
}
