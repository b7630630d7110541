// Stands in the page itself, after first-paint.js (vite.shell.ts): what the first screen needs is asked for before
// any script of the app has come, as on a slow line each file that waits for another one costs its way.
;(function () {
  const parts = __PARTS__
  const root = document.documentElement
  const base = new URL('.', document.baseURI)
  const isMember = root.dataset.member !== undefined
  const path = location.pathname.slice(base.pathname.length)

  function load(files) {
    for (const file of files || []) {
      const link = document.createElement('link')
      if (file.endsWith('.css')) {
        link.rel = 'preload'
        link.as = 'style'
      } else link.rel = 'modulepreload'
      link.crossOrigin = ''
      link.href = new URL(file, base).href
      document.head.append(link)
    }
  }

  const answers = (window.vigilEarly = {})
  function ask(path, options) {
    const url = new URL(path, base).href
    const headers = { 'X-Requested-With': 'XMLHttpRequest', Accept: 'application/json' }
    answers[url] = fetch(url, { ...options, headers: { ...headers, ...options?.headers } }).catch(() => null)
    return answers[url]
  }

  let language = null
  try {
    language = localStorage.getItem('user-language')
  } catch {
    // A browser without storage follows the system.
  }
  load(parts[(language || navigator.language).toLowerCase().startsWith('zh') ? 'zh' : 'en'])
  const platform = root.dataset.platform
  const known = ask('api/v1/bootstrap/' + (platform ? '?platform=' + platform : ''))
  const isShared = path.startsWith('printers/share_token/')
  if (!isMember) {
    if (isShared) return
    load(parts.door)
    known.then(async (answer) => {
      if (answer?.ok) window.vigilDoor(await answer.clone().json(), { ask, path, base, language })
    })
  } else if (path === '' || path === 'printers/') {
    load(parts.list)
    ask('api/v1/printers/?with_archived=true')
  } else if (path.endsWith('/control/')) load(parts.control)
})()
