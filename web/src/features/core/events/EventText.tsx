import { readEventText, type TextRun } from '@vigil/contract/core/event-text.ts'
import { Fragment, type ReactNode, useMemo } from 'react'

function styled({ text, bold, italic, underlined, href }: TextRun): ReactNode {
  let node: ReactNode = text.split('\n').map((line, at) => (
    // oxlint-disable-next-line no-array-index-key
    <Fragment key={at}>
      {at > 0 && <br />}
      {line}
    </Fragment>
  ))
  if (underlined) node = <u>{node}</u>
  if (italic) node = <i>{node}</i>
  if (bold) node = <b>{node}</b>
  if (href === undefined) return node
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {node}
    </a>
  )
}

/** What an event says, in the few styles that it may have: whoever wrote it, nothing of it is run. */
export function EventText({ html }: { html: string }) {
  const runs = useMemo(() => readEventText(html), [html])
  return runs.map((run, at) => (
    // oxlint-disable-next-line no-array-index-key
    <Fragment key={at}>{styled(run)}</Fragment>
  ))
}
