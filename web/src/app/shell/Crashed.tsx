import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Notice } from '../../ui/Notice.tsx'

/** A screen broke, or its code is gone after an update: reloading is the way on. */
export function Crashed() {
  const { t } = useTranslation('common')
  return (
    <main>
      <Notice
        whole
        title={t('crashed.title')}
        actions={
          <Button variant="filled" onClick={() => location.reload()}>
            {t('crashed.reload')}
          </Button>
        }
      >
        {t('crashed.text')}
      </Notice>
    </main>
  )
}
