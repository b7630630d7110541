import { Modal, type ModalProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFocusBack } from './useFocusBack.ts'

/** A dialog, open for as long as it stands. The focus then goes back to what opened it, unless it went elsewhere. */
export function Dialog(props: Omit<ModalProps, 'opened'>) {
  const { t } = useTranslation('common')
  useFocusBack()
  return <Modal {...props} opened returnFocus={false} closeButtonProps={{ 'aria-label': t('close') }} />
}
