import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/**
 * Leads elsewhere, once for each destination, and leaves no entry in the history. The router's own Navigate goes
 * again with every render, which never ends while the destination is still loading.
 */
export function GoTo({ to, search = {} }: { to: string; search?: object }) {
  const navigate = useNavigate()
  const latest = useRef(search)
  latest.current = search
  useEffect(() => {
    void navigate({ to, search: latest.current, replace: true })
  }, [navigate, to])
  return null
}
