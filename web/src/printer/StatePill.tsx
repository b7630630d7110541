import type { Printer } from '@vigil/contract/printers.ts'
import { StatusPill } from '../ui/StatusMark.tsx'
import { shownState } from './state.ts'
import { useWords } from './words.ts'

export function StatePill({
  printer,
  transition,
  onPicture,
}: {
  printer: Printer
  transition: string | null
  onPicture?: boolean
}) {
  const words = useWords()
  const { word, shape, tone } = shownState(printer, transition)
  return (
    <StatusPill shape={shape} tone={tone} onPicture={onPicture ?? false}>
      {words.state(word)}
    </StatusPill>
  )
}
