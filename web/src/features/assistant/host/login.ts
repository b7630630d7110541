import { fieldsOf } from '@vigil/contract/fields.ts'
import { serverUrl } from '../../../lib/base.ts'

const LOGIN =
  '/accounts/login/?hide_navbar=true&next=/o/authorize/%3Fresponse_type%3Dtoken%26client_id%3DJusPrin'
const LOOK_MS = 50
/** After this nobody waits any more. */
const MOST_MS = 600_000

/** The token in a message of the page that sign-in ends at. */
function tokenIn(message: unknown): string | null {
  try {
    const said: unknown = typeof message === 'string' ? JSON.parse(message) : message
    const { token } = fieldsOf(fieldsOf(said)['data'])
    return typeof token === 'string' ? token : null
  } catch {
    return null
  }
}

/** The slicer's own dialog: the person signs in there, and it ends at a page that hands a token over. False: it does not open. */
export function openLogin(onToken: (token: string) => void): boolean {
  const dialog = window.open(serverUrl(LOGIN), 'slicer-sign-in', 'width=480,height=720')
  if (!dialog) return false
  const began = performance.now()
  const end = () => {
    clearInterval(timer)
    dialog.close()
  }
  const hand = (message: unknown) => {
    const token = tokenIn(message)
    if (!token) return
    end()
    onToken(token)
  }
  // Each page that is loaded there is told anew who stands around it.
  const timer = setInterval(() => {
    if (dialog.closed || performance.now() - began > MOST_MS) end()
    else dialog.wx ??= { postMessage: hand }
  }, LOOK_MS)
  return true
}
