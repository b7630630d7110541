import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useTabIcon } from '../lib/tab-icon.ts'
import { useTitle } from '../lib/title.ts'
import { shownState, signOf } from './state.ts'
import { useWords } from './words.ts'

/** The browser's tab on a page of one printer: how it stands, then the page. */
export function usePrinterTab(printer: Printer, transition: string | null, page = printer.name): void {
  const words = useWords()
  useTabIcon(signOf([printer]))
  useTitle(`${words.standing(shownState(printer, transition))} · ${page}`)
}
