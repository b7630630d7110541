import { useNotifications } from '@mantine/notifications'
import { lazy, Suspense, useEffect, useState } from 'react'

const ToastStack = lazy(async () => ({ default: (await import('./ToastStack.tsx')).ToastStack }))

/** The place of the toasts; what draws them is loaded with the first one. */
export function Toasts() {
  const any = useNotifications().notifications.length > 0
  const [needed, setNeeded] = useState(any)
  useEffect(() => {
    if (any) setNeeded(true)
  }, [any])
  if (!needed) return null
  return (
    <Suspense fallback={null}>
      <ToastStack />
    </Suspense>
  )
}
