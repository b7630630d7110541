/** What our app wants to hear of (api-contract 6.1). */
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
