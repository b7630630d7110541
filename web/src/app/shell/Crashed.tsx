import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { report } from '../../lib/report.ts'
import { Notice } from '../../ui/Notice.tsx'

/** A screen broke: reloading is the way on. */
export function Crashed({ error }: { error: unknown }) {
  const { t } = useTranslation('common')
  useEffect(() => report(error), [error])
  return (
    <Notice
      whole
      title={t('crashed.title')}
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
