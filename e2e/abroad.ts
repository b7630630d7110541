import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

const LOCALES = join(import.meta.dirname, '../locales')
const leaves = (node: unknown): string[] =>
  typeof node === 'string' ? [node] : Object.values(node as object).flatMap(leaves)
const wordsOf = (language: string) =>
  globSync(`${language}/*/*.json`, { cwd: LOCALES }).flatMap((file) =>
    leaves(JSON.parse(readFileSync(join(LOCALES, file), 'utf8'))),
  )

/** English sentences of ours that are none in Chinese. */
function onlyEnglish(): string[] {
  const chinese = new Set(wordsOf('zh'))
  return [...new Set(wordsOf('en'))].filter(
    (text) => /^[A-Z][a-z]{2,}/.test(text) && !text.includes('{{') && !chinese.has(text),
  )
}
let english: string[] | undefined

/** The same page in Chinese: what of it is still in English. The page stays so until `comeHome`. */
export async function abroadFindings(page: Page): Promise<string[]> {
  english ??= onlyEnglish()
  await choose(page, 'zh')
  await page.reload()
  await page.locator('html[lang^="zh"] :is(h1, h2)').filter({ visible: true }).first().waitFor()
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
  return await page.evaluate((ours) => {
    const known = new Set(ours)
    const found = new Set<string>()
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const text = walker.currentNode.textContent?.trim() ?? ''
      if (known.has(text) && walker.currentNode.parentElement?.checkVisibility()) found.add(text)
    }
    return [...found].map((text) => `in English on a Chinese page: "${text}"`)
  }, english)
}

/** Back to English for what is looked at next. */
export const comeHome = (page: Page): Promise<void> => choose(page, 'en')

/** As the selector of languages does: in this browser, and for the account of who is signed in; a guest has none. */
async function choose(page: Page, language: 'en' | 'zh'): Promise<void> {
  await page.evaluate((to) => localStorage.setItem('user-language', to), language)
  await page.request.patch(new URL('/api/v1/users/me/', page.url()).href, {
    headers: { 'X-Requested-With': 'XMLHttpRequest' },
    data: { language },
  })
}
