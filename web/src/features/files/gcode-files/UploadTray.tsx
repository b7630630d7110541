import { Button } from '@mantine/core'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { useProblemText } from '../../../ui/Notice.tsx'
import { useErrorDialog } from '../../../ui/useErrorDialog.tsx'
import styles from './Uploads.module.css'
import { UploadRow } from './UploadRow.tsx'
import { clearUploads, type GCodeUpload, readUploads, subscribeUploads } from './uploads.ts'

/** So many that are done are listed. */
const FEW = 3

/** What is being sent, and what became of it. */
export function UploadTray() {
  const { t } = useTranslation('gcode-files')
  const uploads = useSyncExternalStore(subscribeUploads, readUploads)
  useFailures(uploads)
  if (uploads.length === 0) return null
  const isDone = ({ state }: GCodeUpload) => state.kind === 'done'
  const done = uploads.filter(isDone).length
  // Of many the line above says how many are done; the folder below has them.
  const listed = done > FEW ? uploads.filter((upload) => !isDone(upload)) : uploads
  return (
    <section className={styles.tray} aria-label={t('upload.tray')}>
      {uploads.length > 1 && (
        <div className={styles.all}>
          <span role="status">{t('upload.doneOf', { count: done, all: uploads.length })}</span>
          {done > 0 && (
            <Button size="compact-md" variant="subtle" onClick={clearUploads}>
              {t('upload.clear')}
            </Button>
          )}
        </div>
      )}
      <ul className={styles.uploads}>
        {listed.map((upload) => (
          <UploadRow key={upload.id} upload={upload} />
        ))}
      </ul>
    </section>
  )
}

/** What the server refuses is said in a dialog, once. */
function useFailures(uploads: readonly GCodeUpload[]): void {
  const text = useProblemText()
  const say = useErrorDialog()
  const latest = useRef({ text, say })
  latest.current = { text, say }
  const said = useRef(new Set<object>())
  useEffect(() => {
    for (const { name, state } of uploads) {
      if (state.kind !== 'failed' || said.current.has(state)) continue
      said.current.add(state)
      latest.current.say(`${name}: ${latest.current.text(state.problem)}`)
    }
  }, [uploads])
}
