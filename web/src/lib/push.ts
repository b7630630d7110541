/** Why this browser can't be reached by push; `insecure`: browsers have it over https alone. */
export type Hindrance = 'insecure' | 'unsupported' | 'blocked'

/** What stands against push in this browser, null for nothing. */
export function hindrance(): Hindrance | null {
  if (!window.isSecureContext) return 'insecure'
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || !('Notification' in window))
    return 'unsupported'
  return Notification.permission === 'denied' ? 'blocked' : null
}

/** By what this browser is reached, if it is turned on. */
export async function ownSubscription(): Promise<PushSubscription | null> {
  if (hindrance() !== null) return null
  const worker = await navigator.serviceWorker.getRegistration()
  return (await worker?.pushManager.getSubscription()) ?? null
}

/** Whoever signs in here next is shown nothing that was for somebody else; the server has forgotten this browser by itself. */
export async function endOwnPush(): Promise<void> {
  try {
    await (await ownSubscription())?.unsubscribe()
    const worker = await navigator.serviceWorker.getRegistration()
    for (const shown of (await worker?.getNotifications()) ?? []) shown.close()
  } catch {
    // It has no push service any more, and with it nothing that would be shown.
  }
}
