import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { paths } from '../../../lib/paths.ts'
import { Notice } from '../../../ui/Notice.tsx'

/** What stands where a folder would. */
export function NoFolder() {
  const { t } = useTranslation('gcode-files')
  return (
    <Notice
      whole
      title={t('folder.missing')}
      actions={
        <Button variant="filled" renderRoot={(props) => <Link {...props} to={paths.folders} />}>
          {t('toFiles')}
        </Button>
      }
    >
      {t('folder.missingText')}
    </Notice>
  )
}
