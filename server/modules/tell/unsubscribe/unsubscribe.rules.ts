/** The switches of the channel `email` that letters about prints hang on, by the word in their links. */
const PRINTS = {
  failure_alert: 'notifyOnFailureAlert',
  not_watching: 'notifyOnNotWatching',
  print_done: 'notifyOnPrintDone',
  print_cancelled: 'notifyOnPrintCancelled',
  filament_change: 'notifyOnFilamentChange',
  heater_status: 'notifyOnHeaterStatus',
  print_start: 'notifyOnPrintStart',
  print_pause: 'notifyOnPrintPause',
  print_resume: 'notifyOnPrintResume',
} as const
type Switch = (typeof PRINTS)[keyof typeof PRINTS]

/** Switches that go off together, or all news of the account. */
export type List = readonly Switch[] | 'account_notification'

const { failure_alert: alert, ...others } = PRINTS

/** Every list by its word; `alert` and `print_notification` stand in letters of the old server. */
const LISTS: ReadonlyMap<string, List> = new Map<string, List>([
  ...Object.entries(PRINTS).map(([word, column]) => [word, [column]] as const),
  ['alert', [alert]],
  ['print_notification', Object.values(others)],
  ['account_notification', 'account_notification'],
])

export const listOf = (word: string): List | undefined => LISTS.get(word)
