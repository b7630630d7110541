import { History } from './History.tsx'

/** The same as cards that play their time-lapses. */
export default function TimelapsesScreen() {
  return <History view="cards" />
}
