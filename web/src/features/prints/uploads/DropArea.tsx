import { Button, FileButton } from '@mantine/core'
import { IconMovie } from '@tabler/icons-react'
import { type DragEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './Uploads.module.css'

const ACCEPT = 'video/mp4,video/mpeg,.mp4,.mpg,.mpeg'

/** Films are dropped here, or chosen: several at once. */
export function DropArea({ onFiles }: { onFiles: (files: File[]) => void }) {
  const { t } = useTranslation('uploads')
  const [isOver, setOver] = useState(false)
  const over = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    onFiles([...event.dataTransfer.files])
  }
  return (
    <div
      className={styles.drop}
      data-over={isOver || undefined}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <IconMovie size={32} stroke={1.5} aria-hidden />
      <p className={styles.dropText}>{t('drop')}</p>
      <FileButton multiple accept={ACCEPT} onChange={onFiles}>
        {(props) => (
          <Button variant="default" {...props}>
            {t('choose')}
          </Button>
        )}
      </FileButton>
      <p className={styles.soft}>{t('kinds')}</p>
    </div>
  )
}
