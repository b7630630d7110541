// Stands in the page itself, after first-paint.js (vite.shell.ts): what the first screen needs is asked for before
// any script of the app has come, as on a slow line each file that waits for another one costs its way.
;(function () {
  var parts = __PARTS__
  var root = document.documentElement
  var base = new URL('.', document.baseURI)
  var isMember = root.dataset.member !== undefined
  var path = location.pathname.slice(base.pathname.length)

  function load(files) {
    for (var file of files || []) {
      var link = document.createElement('link')
      if (file.endsWith('.css')) {
        link.rel = 'preload'
        link.as = 'style'
      } else link.rel = 'modulepreload'
      link.crossOrigin = ''
      link.href = new URL(file, base).href
      document.head.append(link)
    }
  }

  var answers = (window.vigilEarly = {})
  function ask(path) {
    var url = new URL(path, base).href
    answers[url] = fetch(url, {
      headers: { 'X-Requested-With': 'XMLHttpRequest', Accept: 'application/json' },
    }).catch(() => null)
  }

  var language = null
  try {
    language = localStorage.getItem('user-language')
  } catch {
    // A browser without storage follows the system.
  }
  load(parts[(language || navigator.language).toLowerCase().startsWith('zh') ? 'zh' : 'en'])
  var platform = root.dataset.platform
  ask('api/v1/bootstrap/' + (platform ? '?platform=' + platform : ''))
  var isShared = path.startsWith('printers/share_token/')
  if (!isMember) {
    if (!isShared) load(parts.door)
  } else if (path === '' || path === 'printers/') {
    load(parts.list)
    ask('api/v1/printers/?with_archived=true')
  } else if (path.endsWith('/control/')) load(parts.control)
})()
