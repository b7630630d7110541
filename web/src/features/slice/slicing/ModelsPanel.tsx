import { ActionIcon, Button, FileButton, Stack } from '@mantine/core'
import { IconPlus, IconRefresh, IconTrash, IconUpload, IconVersions } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { MeshModel } from '@vigil/contract/slice/models.ts'
import type { SliceParams } from '@vigil/contract/slice/slicer.ts'
import { type ReactNode, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { toast } from '../../../lib/toast.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { Failed, useProblemText } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { dropModel, modelsQuery, sizeText, uploadModel } from '../meshes/index.ts'
import { engineQuery, jobsQuery } from './slicing.api.ts'
import shared from '../../../ui/shared.module.css'
import rows from '../../../ui/Rows.module.css'

const ACCEPT = '.stl,.3mf,.obj'
/** What is brought here: STEP only where the slicer makes meshes of it. */
const useAccept = () => (useQuery(engineQuery).data?.reads_step ? `${ACCEPT},.step,.stp` : ACCEPT)

interface ModelsPanelProps {
  onAdd: (model: MeshModel) => void
  /** Slices what was sliced before once more, as it was. */
  onAgain: (params: SliceParams) => void
}

/** Models of one's own: brought here, put onto the plate, sliced again; of one model the newest version first. */
export function ModelsPanel({ onAdd, onAgain }: ModelsPanelProps) {
  const { t } = useTranslation('slicing')
  const { data, error, refetch } = useQuery(modelsQuery)
  const accept = useAccept()
  const { bring, isBusy, refused } = useBring(onAdd)
  const drop = useDrop()
  return (
    <Panel
      title={t('models.title')}
      aside={
        <FileButton multiple accept={accept} onChange={(files) => void bring(files)}>
          {(props) => (
            <Button leftSection={<IconUpload size={16} stroke={1.75} />} loading={isBusy} {...props}>
              {t('models.upload')}
            </Button>
          )}
        </FileButton>
      }
    >
      {refused.map((why) => (
        <p key={why} className={shared.bad} role="alert">
          {why}
        </p>
      ))}
      {!data && error && (
        <Failed title={t('models.failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
      )}
      {data?.length === 0 && <p className={shared.soft}>{t('models.none')}</p>}
      <ModelList
        models={data ?? []}
        onAdd={onAdd}
        onAgain={onAgain}
        onVersion={(file, of) => void bring([file], of)}
        onDelete={(model) => void drop(model)}
      />
    </Panel>
  )
}

function useBring(onAdd: (model: MeshModel) => void) {
  const problemText = useProblemText()
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const [refused, setRefused] = useState<readonly string[]>([])
  const bring = async (files: readonly File[], versionOf?: number) => {
    setBusy(true)
    setRefused([])
    for (const file of files) {
      try {
        onAdd(await uploadModel(file, versionOf))
      } catch (failure) {
        const why = `${file.name}: ${problemText(problemOf(failure))}`
        setRefused((all) => [...all, why])
      }
    }
    setBusy(false)
    await client.invalidateQueries({ queryKey: modelsQuery.queryKey })
  }
  return { bring, isBusy, refused }
}

/** Asks, and takes one out for good; what was sliced of it stays. */
function useDrop() {
  const { t } = useTranslation('slicing')
  const problemText = useProblemText()
  const client = useQueryClient()
  return async ({ id, name }: MeshModel) => {
    const title = t('models.delete', { name })
    if (!(await confirm({ title, text: t('models.deleteText'), action: t('models.deleteAction') }))) return
    try {
      await dropModel(id)
    } catch (error) {
      toast(problemText(problemOf(error)), 'failed')
    }
    await client.invalidateQueries({ queryKey: modelsQuery.queryKey })
  }
}

interface ModelListProps extends ModelsPanelProps {
  models: readonly MeshModel[]
  onVersion: (file: File, of: number) => void
  onDelete: (model: MeshModel) => void
}

function ModelList({ models, ...rest }: ModelListProps) {
  const { t } = useTranslation('slicing')
  const { data: jobs = [] } = useQuery(jobsQuery)
  const [open, setOpen] = useState<number | null>(null)
  const families = [...new Set(models.map(({ family }) => family))]
  return (
    <ul className={rows.rows} aria-label={t('models.title')}>
      {families.flatMap((family) => {
        const versions = models.filter((model) => model.family === family)
        const shown = open === family ? versions : versions.slice(0, 1)
        return shown.map((model, i) => (
          <ModelRow
            key={model.id}
            model={model}
            note={versions.length > 1 ? t('models.version', { n: versions.length - i }) : null}
            onVersions={
              i === 0 && versions.length > 1 ? () => setOpen(open === family ? null : family) : null
            }
            again={jobs.find(({ status, params }) => status === 'done' && isOf(params, model))?.params}
            {...rest}
          />
        ))
      })}
    </ul>
  )
}

const isOf = ({ meshes }: SliceParams, { mesh_url: own }: MeshModel) => meshes.some(({ url }) => url === own)

interface ModelRowProps extends Omit<ModelListProps, 'models'> {
  model: MeshModel
  /** Which version it is, where there are several. */
  note: string | null
  onVersions: (() => void) | null
  again: SliceParams | undefined
}

function ModelRow({ model, note, onVersions, again, ...rest }: ModelRowProps) {
  const { t } = useTranslation('slicing')
  const accept = useAccept()
  const { onAdd, onAgain, onVersion, onDelete } = rest
  const { name } = model
  return (
    <li className={rows.withTools}>
      <button type="button" className={rows.row} onClick={() => onAdd(model)}>
        <img src={model.thumbnail_url} alt="" width={40} height={40} loading="lazy" />
        <Stack component="span" className={shared.fits} gap={0} flex={1}>
          <bdi>{name}</bdi>
          <span className={shared.soft}>{[note, sizeText(model.size)].filter(Boolean).join(' · ')}</span>
        </Stack>
        <IconPlus size={18} stroke={1.75} aria-label={t('models.add')} />
      </button>
      {again && (
        <Tool name={t('models.again', { name })} onClick={() => onAgain(again)}>
          <IconRefresh size={18} stroke={1.75} />
        </Tool>
      )}
      {onVersions && (
        <Tool name={t('models.versions', { name })} onClick={onVersions}>
          <IconVersions size={18} stroke={1.75} />
        </Tool>
      )}
      <FileButton accept={accept} onChange={(file) => file && onVersion(file, model.id)}>
        {(props) => (
          <Tool name={t('models.newVersion', { name })} {...props}>
            <IconUpload size={18} stroke={1.75} />
          </Tool>
        )}
      </FileButton>
      <Tool name={t('models.delete', { name })} onClick={() => onDelete(model)}>
        <IconTrash size={18} stroke={1.75} />
      </Tool>
    </li>
  )
}

interface ToolProps {
  name: string
  onClick: () => void
  children: ReactNode
}

const Tool = ({ name, ...rest }: ToolProps) => (
  <ActionIcon variant="subtle" size={44} aria-label={name} title={name} {...rest} />
)
