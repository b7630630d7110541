import { Modal, type ModalProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from '../lib/translation.ts'
import styles from './DialogButtons.module.css'
import { useFocusBack } from './useFocusBack.ts'

/** A dialog, open for as long as it stands. The focus then goes back to what opened it, unless it went elsewhere. */
export function Dialog(props: Omit<ModalProps, 'opened'>) {
  const { t } = useTranslation('common')
  useFocusBack()
  return <Modal {...props} opened returnFocus={false} closeButtonProps={{ 'aria-label': t('close') }} />
}

/** The buttons at a dialog's foot, the way out first: in one row, or each as wide as the dialog where they don't fit. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return <div className={styles.buttons}>{children}</div>
}
