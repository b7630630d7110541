// Runs before the first paint, so that a dark room never sees a white flash. Kept as a file: our CSP
// allows no inline script. The stored value is written by Mantine's colour scheme manager.
;(function () {
  var stored = null
  try {
    stored = localStorage.getItem('colorTheme')
  } catch {
    // A browser without storage follows the system.
  }
  var dark =
    stored === 'dark' || (stored !== 'light' && window.matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
  if (dark) document.querySelector('meta[name="theme-color"]').content = '#0f1115'
})()
