import type { ReactNode } from 'react'
import { useMessages } from '../lib/catalogue.ts'
import { useSupport } from '../lib/usePlaces.ts'
import { ask } from './confirm.tsx'
import { PlaceLink } from './PlaceLink.tsx'

/** Adds the invitation to the support forums to a sentence, with the way there (docs/rules/pages.md). */
export function useWithSupport(): (text: string) => ReactNode {
  const message = useMessages()
  const place = useSupport()
  const words = message('support')
  return (text) => (
    <>
      {text} {place ? <PlaceLink place={place}>{words}</PlaceLink> : words}
    </>
  )
}

/** Says what went wrong where no field can: the generic error dialog of docs/rules/pages.md. */
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
