import { Button } from '@mantine/core'
import { IconMapOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '../../lib/translation.ts'
import { paths } from '../../lib/paths.ts'
import { useBootstrap } from '../../lib/session.ts'
import { useTitle } from '../../lib/title.ts'
import { Notice } from '../../ui/Notice.tsx'
import { Shell } from './Shell.tsx'

export function NotFoundScreen() {
  const { t } = useTranslation('common')
  const { user } = useBootstrap()
  useTitle(t('notFound.title'))
  const notice = (
    <Notice
      whole
      picture={<IconMapOff size={40} stroke={1.25} />}
      title={t('notFound.title')}
      actions={
        <Button variant="filled" renderRoot={(props) => <Link {...props} to={paths.printers} />}>
          {t('notFound.home')}
        </Button>
      }
    >
      {t('notFound.text')}
    </Notice>
  )
  return user ? <Shell>{notice}</Shell> : <main>{notice}</main>
}
