import { Button } from '@mantine/core'
import { useTranslation } from '../lib/translation.ts'
import { Notice } from './Notice.tsx'

/** What is left to do is to load the page anew. */
export function ReloadNotice({ title }: { title: string }) {
  const { t } = useTranslation('common')
  return (
    <Notice
      whole
      title={title}
      actions={
        <Button variant="filled" onClick={() => location.reload()}>
          {t('crashed.reload')}
        </Button>
      }
    >
      <p role="alert">{t('crashed.text')}</p>
    </Notice>
  )
}
