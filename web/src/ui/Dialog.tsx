import { Modal, type ModalProps } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

/** A dialog, open for as long as it stands. The focus then goes back to what opened it, unless it went elsewhere. */
export function Dialog(props: Omit<ModalProps, 'opened'>) {
  const { t } = useTranslation('common')
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      setTimeout(() => {
        const lost = document.activeElement === null || document.activeElement === document.body
        if (lost && opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true })
      })
    },
    [opener],
  )
  return <Modal {...props} opened returnFocus={false} closeButtonProps={{ 'aria-label': t('close') }} />
}
