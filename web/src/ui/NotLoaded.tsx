import { useEffect, useRef } from 'react'
import type { Problem } from '../lib/errors.ts'
import { Failed } from './Notice.tsx'
import { useErrorDialog } from './useErrorDialog.tsx'

interface NotLoadedProps {
  title: string
  problem: Problem
  onRetry: () => void
}

/** What the dialog has said since the page was loaded: the list asks again by itself, and must not nag. */
const said = new Set<string>()

/** What could not be fetched: said once in the error dialog, and left standing with a way to try again (docs/rules/pages.md). */
export function NotLoaded({ title, problem, onRetry }: NotLoadedProps) {
  const say = useRef(useErrorDialog())
  useEffect(() => {
    if (said.has(title)) return
    said.add(title)
    say.current(title)
  }, [title])
  return <Failed whole title={title} problem={problem} onRetry={onRetry} />
}
