import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useQueryValues } from '../../../lib/address.ts'

/** A way from one page before the door to another; where to go afterwards goes along. */
export function DoorLink({ to, children }: { to: string; children: ReactNode }) {
  const search = useQueryValues()
  return <Anchor renderRoot={(props) => <Link {...props} to={to} search={search} />}>{children}</Anchor>
}
