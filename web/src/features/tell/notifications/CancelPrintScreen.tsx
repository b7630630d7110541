import { PrintAct } from './PrintAct.tsx'

/** `/prints/{id}/cancel/`, where a message leads. */
export default function CancelPrintScreen() {
  return <PrintAct act="cancel" />
}
