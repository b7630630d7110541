import type { ReactNode } from 'react'
import { useMessages } from '../../lib/catalogue.ts'
import { useBootstrap } from '../../lib/session.ts'
import { ask } from '../../ui/confirm.tsx'

/**
 * Adds the invitation to the support forums to a sentence: a link where this server has an address for them
 * (product-1 section 8).
 */
export function useWithSupport(): (text: string) => ReactNode {
  const message = useMessages()
  const { community } = useBootstrap().page_context.syndicate
  const words = message('support')
  const invitation = /^https:\/\/./.test(community) ? (
    <a href={community} target="_blank" rel="noopener noreferrer">
      {words}
    </a>
  ) : (
    words
  )
  return (text) => (
    <>
      {text} {invitation}
    </>
  )
}

/** Says what went wrong where no field can: the generic error dialog of product-1 section 8. */
export function useErrorDialog(): (text: string) => void {
  const message = useMessages()
  const withSupport = useWithSupport()
  return (text) =>
    void ask({
      title: message('error'),
      text: <p role="alert">{withSupport(text)}</p>,
      choices: [],
      dismiss: message('close'),
    })
}
