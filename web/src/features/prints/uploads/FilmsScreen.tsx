import { Button, FileButton } from '@mantine/core'
import { IconMovie } from '@tabler/icons-react'
import { type DragEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { serverUrl } from '../../../lib/base.ts'
import { useTitle } from '../../../lib/title.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { Analyses } from './Analyses.tsx'
import { FilmRow } from './FilmRow.tsx'
import styles from './Uploads.module.css'
import { useFilms } from './useFilms.ts'

const ACCEPT = 'video/mp4,video/mpeg,.mp4,.mpg,.mpeg'

/** Films are dropped here, or chosen: several at once. */
function DropArea({ onFiles }: { onFiles: (files: File[]) => void }) {
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

/** Time-lapses that were made elsewhere are sent here, and analysed as if they had been watched. */
export default function FilmsScreen() {
  const { t } = useTranslation('uploads')
  const { films, choose, lasted, start, drop } = useFilms()
  useTitle(t('title'))
  const chosen = films.filter(({ progress }) => progress.kind === 'chosen')
  const isDone = films.some(({ progress }) => progress.kind === 'done')
  return (
    <>
      <PageHeader title={t('title')} note={t('lead')} />
      <div className={styles.page}>
        <Panel label={t('title')}>
          <div className={styles.send}>
            <DropArea onFiles={choose} />
            {films.map((film) => (
              <FilmRow
                key={film.id}
                film={film}
                onLasted={(seconds) => lasted(film.id, seconds)}
                onStart={() => void start(film)}
                onDrop={() => drop(film.id)}
              />
            ))}
            {chosen.length > 0 && (
              <Button
                variant="filled"
                className={styles.start}
                onClick={() => chosen.forEach((film) => void start(film))}
              >
                {t('start', { count: chosen.length })}
              </Button>
            )}
            {isDone && (
              <p className={styles.running} role="status">
                {t('running')} <a href={serverUrl('/prints/')}>{t('toPrints')}</a>
              </p>
            )}
          </div>
        </Panel>
        <Analyses />
      </div>
    </>
  )
}
