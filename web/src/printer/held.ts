import type { Printer } from '@vigil/contract/printers/printers.ts'
import type { QueryClient } from '@tanstack/react-query'
import { serverNow } from '../lib/clock.ts'
import { mergePrinter } from './live/merge.ts'
import { applyToList, type News } from './live/news.ts'

/** Where this page holds its printers: all of them, and each whose page was opened. */
export const LIST_KEY = ['printers'] as const
export const oneKey = (id: number) => ['printer', id] as const

/** The list as it is held; undefined before it was read. */
export const heldPrinters = (client: QueryClient) => client.getQueryData<Printer[]>(LIST_KEY)

/** Puts what the line said, in its order, into every place that shows it. A patch builds on what the list was told. */
export function applyNews(client: QueryClient, said: readonly News[]): void {
  const now = serverNow()
  for (const part of said.flatMap(({ printers }) => printers)) {
    const key = oneKey(part.id!)
    const held = client.getQueryData<Printer>(key)
    if (held || client.getQueryState(key)) client.setQueryData(key, mergePrinter(held, part, now))
  }
  client.setQueryData<Printer[]>(LIST_KEY, (list) =>
    list ? said.reduce((shown, news) => applyToList(shown, news, now), list) : list,
  )
}

/** What the server answered of one printer. */
export const applyPrinter = (client: QueryClient, printer: Printer) =>
  applyNews(client, [{ printers: [printer], patches: [], gone: [] }])

/** Forgets a printer that was deleted. */
export function forgetPrinter(client: QueryClient, id: number): void {
  client.setQueryData<Printer[]>(LIST_KEY, (list) => list?.filter((printer) => printer.id !== id))
  client.removeQueries({ queryKey: oneKey(id) })
}
