/**
 * The page that the service worker keeps for when the server can't be reached. It stands alone, needs nothing but its
 * own files, knows nobody, and makes way as soon as the server answers again.
 */
import './page.css'
import en from '../../../locales/en/core/offline.json'
import zh from '../../../locales/zh/core/offline.json'

const EVERY_MS = 5_000

function language(): string {
  try {
    return localStorage.getItem('user-language') ?? navigator.language
  } catch {
    return navigator.language
  }
}

const isChinese = language().toLowerCase().startsWith('zh')
const texts: typeof en = isChinese ? zh : en
document.documentElement.lang = isChinese ? 'zh-CN' : 'en'
document.querySelector('header span')?.append(document.title)
document.querySelector('h1')?.replaceChildren(texts.title)
document.querySelector('p')?.replaceChildren(texts.text)
const button = document.querySelector('button')
button?.replaceChildren(texts.retry)
button?.addEventListener('click', () => location.reload())

/** Reloads once the server answers, whatever it says. */
async function look(): Promise<void> {
  const answer = await fetch(new URL('hc/', document.baseURI), { cache: 'no-store' }).catch(() => null)
  if (answer) location.reload()
}
setInterval(() => void look(), EVERY_MS)
addEventListener('online', () => void look())
