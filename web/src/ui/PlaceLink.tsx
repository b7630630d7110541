import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { serverUrl } from '../lib/base.ts'
import { isElsewhere, type Place } from '../lib/places.ts'

/** The way to a place: within the client, or in another tab where it is another site. Takes a link's attributes. */
export function PlaceLink({
  place: { to, hash, byServer },
  children,
  ...more
}: { place: Place; children: ReactNode } & Omit<React.ComponentProps<'a'>, 'href' | 'target' | 'rel'>) {
  if (byServer)
    return (
      <a {...more} href={serverUrl(to)}>
        {children}
      </a>
    )
  if (!isElsewhere(to))
    return (
      <Link {...more} to={to} {...(hash ? { hash } : {})}>
        {children}
      </Link>
    )
  return (
    <a {...more} href={to} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}
