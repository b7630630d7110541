import { Button, FileButton, Stack } from '@mantine/core'
import { IconPlus, IconUpload } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { MeshModel } from '@vigil/contract/slice/models.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { problemOf } from '../../../lib/errors.ts'
import { size as sizeText } from './words.ts'
import { Failed, useProblemText } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { modelsQuery, uploadModel } from './slicing.api.ts'
import styles from './Slicing.module.css'
import shared from '../../../ui/shared.module.css'

const ACCEPT = '.stl,.3mf,.obj'

/** Models of one's own: brought here, put onto the plate. */
export function ModelsPanel({ onAdd }: { onAdd: (model: MeshModel) => void }) {
  const { t } = useTranslation('slicing')
  const problemText = useProblemText()
  const client = useQueryClient()
  const { data, error, refetch } = useQuery(modelsQuery)
  const [isBusy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const bring = async (files: File[]) => {
    setBusy(true)
    setRefused(null)
    for (const file of files) {
      try {
        onAdd(await uploadModel(file))
      } catch (failure) {
        setRefused(`${file.name}: ${problemText(problemOf(failure))}`)
      }
    }
    setBusy(false)
    await client.invalidateQueries({ queryKey: modelsQuery.queryKey })
  }
  return (
    <Panel
      title={t('models.title')}
      aside={
        <FileButton multiple accept={ACCEPT} onChange={(files) => void bring(files)}>
          {(props) => (
            <Button leftSection={<IconUpload size={16} stroke={1.75} />} loading={isBusy} {...props}>
              {t('models.upload')}
            </Button>
          )}
        </FileButton>
      }
    >
      {refused && (
        <p className={styles.bad} role="alert">
          {refused}
        </p>
      )}
      {!data && error && (
        <Failed title={t('models.failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
      )}
      {data?.length === 0 && <p className={styles.soft}>{t('models.none')}</p>}
      <ModelList models={data ?? []} onAdd={onAdd} />
    </Panel>
  )
}

function ModelList({ models, onAdd }: { models: readonly MeshModel[]; onAdd: (model: MeshModel) => void }) {
  const { t } = useTranslation('slicing')
  return (
    <ul className={styles.models} aria-label={t('models.title')}>
      {models.map((model) => (
        <li key={model.id}>
          <button type="button" className={styles.model} onClick={() => onAdd(model)}>
            <img src={model.thumbnail_url} alt="" width={40} height={40} loading="lazy" />
            <Stack component="span" className={shared.fits} gap={0} flex={1}>
              <bdi>{model.name}</bdi>
              <span className={styles.soft}>{sizeText(model.size)}</span>
            </Stack>
            <IconPlus size={18} stroke={1.75} aria-label={t('models.add')} />
          </button>
        </li>
      ))}
    </ul>
  )
}
