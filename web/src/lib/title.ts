import { useEffect } from 'react'

/** The page's name in the browser's tab. */
export function useTitle(title: string, brand = 'Vigil'): void {
  useEffect(() => {
    document.title = title ? `${title} · ${brand}` : brand
  }, [title, brand])
}
