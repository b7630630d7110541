import { History } from './History.tsx'

/** The prints that are over, in rows. */
export default function HistoryScreen() {
  return <History view="rows" />
}
