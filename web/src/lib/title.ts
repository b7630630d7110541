import { useEffect } from 'react'
import { useBootstrap } from './session.ts'
import { doesPageTell } from './tab-icon.ts'

let title = ''
/** What needs the owner on another page. */
let mark = ''

function show(): void {
  document.title = mark && !doesPageTell() ? `${mark} · ${title}` : title
}

/** The page's name in the browser's tab, before that of the brand. */
export function useTitle(page: string): void {
  const { page_context: context } = useBootstrap()
  const brand = context.syndicate.display_name
  useEffect(() => {
    title = page ? `${page} · ${brand}` : brand
    show()
  }, [page, brand])
}

/** Stands before the names of pages that do not tell of it themselves; '' for nothing. */
export function useTitleMark(text: string): void {
  useEffect(() => {
    mark = text
    show()
    return () => {
      mark = ''
      show()
    }
  }, [text])
}
