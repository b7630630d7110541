import { useLocation } from '@tanstack/react-router'
import type { Place } from '../../lib/places.ts'

/** Says of a place whether it is the one at hand, as `aria-current` wants it. */
export function useCurrent() {
  const { pathname } = useLocation()
  return ({ to, within = [to] }: Place) =>
    within.some((path) => pathname.startsWith(path)) ? 'page' : undefined
}
