import { useQueryValues } from '../../../lib/address.ts'
import { PrintAct } from './PrintAct.tsx'

/** `/prints/{id}/resume/`, where a message leads; with `mute_alert=true` there are no further alerts for this print. */
export default function ResumePrintScreen() {
  const { mute_alert: mute } = useQueryValues()
  return <PrintAct act={mute === 'true' ? 'resumeAndMute' : 'resume'} />
}
