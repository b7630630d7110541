import type { Printer } from '@vigil/contract/printers/printers.ts'

/** Whether who looks may act on what is printed: the server refuses the others, pages don't offer it to them (docs/rules/people.md 16). */
export const mayControl = ({ role }: Printer): boolean => role !== 'viewer'

/** Whether they may change the printer itself, and share it. */
export const mayEdit = ({ role }: Printer): boolean => role !== 'viewer' && role !== 'operator'

/** Whether it is of their own account: queue, files and its own page are never shared. */
export const isMine = (printer: Printer): boolean => printer.shared_by == null
