import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '../../../lib/translation.ts'
import { useId } from '../../../lib/address.ts'
import { useMessages } from '../../../lib/catalogue.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { ColumnsWaiting } from '../../../ui/Columns.tsx'
import { NotLoaded } from '../../../ui/NotLoaded.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { FilePage } from './FilePage.tsx'
import styles from './FilePage.module.css'
import { fileQuery } from './gcode-files.api.ts'

export default function FileScreen() {
  const { t } = useTranslation('gcode-files')
  const message = useMessages()
  const id = useId()
  const { data: file, error, isPending, refetch } = useQuery(fileQuery(id))

  if (file) return <FilePage key={file.id} file={file} />
  if (isPending) return <ColumnsWaiting place={styles.picturePlace} beside={[260, 170]} />
  if (problemOf(error).kind === 'missing')
    return (
      <Notice
        whole
        title={message('fileMissing')}
        actions={
          <Button variant="filled" renderRoot={(props) => <Link {...props} to={paths.folders} />}>
            {t('toFiles')}
          </Button>
        }
      />
    )
  return <NotLoaded title={t('file.failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
}
