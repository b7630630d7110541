import { type ComponentType, useEffect } from 'react'
import { useTranslation } from '../lib/translation.ts'
import { part, usePart } from '../lib/part.ts'
import { quiet } from '../lib/quiet.ts'
import { toast } from '../lib/toast.ts'
import { Failed } from './Notice.tsx'
import { ReloadNotice } from './ReloadNotice.tsx'

/** What is drawn once its code has come, and a way to have that come before. */
export type Screen<P = object> = ComponentType<P> & { load: () => Promise<unknown> }

/** A page, or a piece of one, whose code is loaded when it is wanted; what went wrong stands in its place. */
export function lazily<P extends object>(load: () => Promise<ComponentType<P>>): Screen<P> {
  const wanted = part(load)
  function Lazily(props: P) {
    const { t } = useTranslation('common')
    const { value: Came, failed, retry } = usePart(wanted)
    if (Came) return <Came {...props} />
    if (failed === 'offline')
      return <Failed whole title={t('part.offline')} problem={{ kind: 'offline' }} onRetry={retry} />
    if (failed === 'gone') return <ReloadNotice title={t('part.gone')} />
    return <div aria-busy="true" />
  }
  return Object.assign(Lazily, { load: wanted.load })
}

/** The same for a dialog: where it can't be loaded that is said, and it is closed. */
export function lazyDialog<P extends { onClose: () => void }>(
  load: () => Promise<ComponentType<P>>,
): ComponentType<P> {
  const wanted = part(load)
  return function LazyDialog(props: P) {
    const { t } = useTranslation('common')
    const { value: Came, failed } = usePart(wanted)
    const { onClose } = props
    useEffect(() => {
      if (!failed) return
      toast(t(failed === 'offline' ? 'part.offlineText' : 'crashed.text'), 'failed', t(`part.${failed}`))
      onClose()
    }, [failed, onClose, t])
    return Came && <Came {...props} />
  }
}

/** What every page has and none begins with: loaded when the first screen stands, and nothing until it came. */
export function laterOn(load: () => Promise<ComponentType>): ComponentType {
  const wanted = part(() => quiet.then(load))
  return function LaterOn() {
    const { value: Came } = usePart(wanted)
    return Came && <Came />
  }
}
