/** What our app wants to hear of (docs/wire/browsers.md 5). */
type News = { theme: 'Light' | 'Dark' | 'System' } | { firstName: string } | { lastName: string }

declare global {
  interface Window {
    ReactNativeWebView?: { postMessage(text: string): void }
  }
}

/** Tells the app in whose web view we are, if any. */
export function tellApp(news: News): void {
  window.ReactNativeWebView?.postMessage(JSON.stringify(news))
}
