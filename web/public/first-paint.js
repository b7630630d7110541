// Runs before the first paint, so that a dark room never sees a white flash. The app's page has it in itself
// (vite.shell.ts), the offline page as a file. The stored value is written by Mantine's colour scheme manager; a brand with
// only one theme has it in the page.
;(function () {
  var root = document.documentElement
  var theme = root.dataset.theme
  try {
    theme = theme || localStorage.getItem('colorTheme')
  } catch {
    // A browser without storage follows the system.
  }
  if (theme !== 'dark' && theme !== 'light')
    theme = window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  root.setAttribute('data-mantine-color-scheme', theme)
  if (theme !== 'dark') return
  document.querySelector('meta[name="theme-color"]').content = '#0f1115'
  var manifest = document.querySelector('link[rel="manifest"]')
  if (manifest) manifest.href += '?theme=dark'
})()
