// Ways in that come with the app: providers, and a passkey where features/people/door/passkeys.ts has it.
window.vigilWaysIn = function ({ providers }) {
  const isAddress = /^[\d.]{7,15}$|^\[/.test(location.hostname)
  return providers.length + Number(isSecureContext && 'PublicKeyCredential' in window && !isAddress)
}

// The sign-in that works before any script of the app has come: who is in a hurry has typed by then. The app takes over
// what was typed, and what was sent (src/lib/early.ts). Stands in the page before early.js.
window.vigilDoor = function (known, { ask, path, base, language }) {
  const texts = __TEXTS__
  const { user, setup_required: isNew, settings, page_context: context } = known
  const isHere = path === 'accounts/login/'
  const isMembers = path === '' || /^(printers|user_preferences)\//.test(path)
  const early = document.getElementById('early')
  const template = document.getElementById('early-door')
  // Not where the app is there already, or sends people elsewhere.
  if (user || isNew || !(isHere || isMembers) || !window.vigilEarly || !early || !template) return

  const url = new URL('accounts/login/', base)
  if (isHere) url.search = location.search
  else if (path && path !== 'printers/') url.searchParams.set('next', '/' + path + location.search)
  if (!isHere) history.replaceState(null, '', url)

  const tongue = (language || context.language).toLowerCase().startsWith('zh') ? 'zh' : 'en'
  document.documentElement.lang = tongue === 'zh' ? 'zh-CN' : 'en'
  early.replaceChildren(template.content.cloneNode(true))
  const find = (selector) => early.querySelector(selector)
  for (const element of early.querySelectorAll('[data-text]'))
    element.textContent = texts[tongue][element.dataset.text]
  const { display_name: name, logo_full: logo, colors } = context.syndicate
  document.title = texts[tongue].signIn + ' · ' + name
  find('b').textContent = name
  find('i').style.maskImage = 'url("' + new URL(logo.replace(/^\//, ''), base).href + '")'
  for (const theme of colors ? ['light', 'dark'] : [])
    for (const part of ['accent', 'on_accent'])
      early.style.setProperty('--early-' + part.replace('_', '-') + '-' + theme, colors[theme][part])
  const ways = window.vigilWaysIn(known)
  find('.early-ways').hidden = ways === 0
  find('.early-ways').style.setProperty('--early-ways', ways)
  find('.early-foot').hidden = !settings.ACCOUNT_ALLOW_SIGN_UP
  find('.early-foot a').href = new URL('accounts/signup/', base).href + url.search
  find('.early-forgot a').href = new URL('accounts/password/reset/', base).href + url.search

  const form = find('form')
  const { email, password, remember } = form.elements
  email.focus()
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const body = { email: email.value.trim(), password: password.value, remember: remember.checked }
    if (form.ariaBusy || !body.email || !body.password) return
    form.ariaBusy = 'true'
    const answer = await ask('api/v1/auth/login/', {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
      signal: AbortSignal.timeout(30_000),
    })
    // Who is still here has no app that would lead on; what was refused, the app explains as it comes.
    if (!answer?.ok || !form.isConnected) return
    if (url.search) location.reload()
    else location.replace(new URL('printers/', base))
  })
}
