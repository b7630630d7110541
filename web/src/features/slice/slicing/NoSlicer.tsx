import { Button, Stack } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import type { SlicerEngine } from '@vigil/contract/slice/slicer.ts'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { useBootstrap } from '../../../lib/session.ts'
import { toast } from '../../../lib/toast.ts'
import { Bar } from '../../../ui/Bar.tsx'
import { Notice, useProblemText } from '../../../ui/Notice.tsx'
import { engineQuery, installSlicer } from './slicing.api.ts'
import shared from '../../../ui/shared.module.css'

/** There is no slicer yet: what it brings, and for an administrator the button that has it. */
export function NoSlicer({ engine }: { engine: SlicerEngine }) {
  const { t } = useTranslation('slicing')
  const { is_admin: isAdmin } = useBootstrap()
  const { installation, failed } = engine
  return (
    <Notice
      whole
      title={t(installation ? 'install.title' : 'noSlicer')}
      actions={isAdmin && !installation && <InstallButton isAgain={failed !== null} />}
    >
      {installation ? (
        <Stack gap={12} mt={12}>
          <p role="status">{t(`install.${installation.step}`)}</p>
          <Bar value={installation.share * 100} animated aria-label={t('install.title')} />
        </Stack>
      ) : (
        <p>{t(isAdmin ? 'install.brings' : 'install.askAdmin')}</p>
      )}
      {failed !== null && (
        <p className={shared.bad} role="alert">
          {failed}
        </p>
      )}
    </Notice>
  )
}

function InstallButton({ isAgain }: { isAgain: boolean }) {
  const { t } = useTranslation('slicing')
  const problemText = useProblemText()
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const install = async () => {
    setAsking(true)
    try {
      client.setQueryData(engineQuery.queryKey, await installSlicer())
    } catch (error) {
      toast(problemText(problemOf(error)), 'failed')
    }
    setAsking(false)
  }
  return (
    <Button
      variant="filled"
      leftSection={<IconDownload size={18} stroke={1.75} />}
      loading={isAsking}
      onClick={() => void install()}
    >
      {t(isAgain ? 'install.again' : 'install.button')}
    </Button>
  )
}
