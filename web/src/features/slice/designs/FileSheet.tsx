import { Button, Checkbox } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Design, DesignFile } from '@vigil/contract/slice/designs.ts'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { serverUrl } from '../../../lib/base.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths } from '../../../lib/paths.ts'
import { toast } from '../../../lib/toast.ts'
import { Dialog, DialogButtons } from '../../../ui/Dialog.tsx'
import { Failed, useProblemText } from '../../../ui/Notice.tsx'
import { useBytes } from '../../../ui/useBytes.ts'
import { bring, filesQuery } from './designs.api.ts'
import styles from './Designs.module.css'

interface FileSheetProps {
  design: Design
  onClose: () => void
}

/** Which files of a design are sliced: STL alone. */
export function FileSheet({ design, onClose }: FileSheetProps) {
  const { t } = useTranslation('designs')
  const { data, error, refetch } = useQuery(filesQuery(design.id))
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const { slice, isBusy } = useSlice(design, data ?? [], chosen)
  const meshes = data?.filter((file) => file.is_mesh) ?? []
  const isAll = meshes.length > 0 && meshes.every(({ id }) => chosen.has(id))
  const toggle = (id: number) =>
    setChosen((all) => new Set(all.has(id) ? [...all].filter((one) => one !== id) : [...all, id]))
  return (
    <Dialog onClose={onClose} title={t('selection')}>
      {!data && error && (
        <Failed title={t('filesFailed')} problem={problemOf(error)} onRetry={() => void refetch()} />
      )}
      {!data && !error && <p role="status">{t('loading')}</p>}
      {data && (
        <Checkbox
          label={t('all')}
          checked={isAll}
          indeterminate={!isAll && chosen.size > 0}
          disabled={meshes.length === 0}
          onChange={() => setChosen(new Set(isAll ? [] : meshes.map(({ id }) => id)))}
        />
      )}
      <ul className={styles.files}>
        {data?.map((file) => (
          <FileRow
            key={file.id}
            file={file}
            isChosen={chosen.has(file.id)}
            onToggle={() => toggle(file.id)}
          />
        ))}
      </ul>
      <DialogButtons>
        <Button variant="default" onClick={onClose}>
          {t('close')}
        </Button>
        <Button variant="filled" loading={isBusy} disabled={!data} onClick={() => void slice()}>
          {t('sliceCount', { n: chosen.size })}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}

interface FileRowProps {
  file: DesignFile
  isChosen: boolean
  onToggle: () => void
}

function FileRow({ file, isChosen, onToggle }: FileRowProps) {
  const { t } = useTranslation('designs')
  const bytes = useBytes()
  return (
    <li className={styles.file}>
      {file.thumbnail ? (
        <img src={serverUrl(file.thumbnail)} alt="" width={56} height={56} loading="lazy" />
      ) : (
        <span className={styles.noThumb} />
      )}
      <Checkbox
        label={<bdi>{file.name}</bdi>}
        description={file.is_mesh ? bytes(file.size) : `${bytes(file.size)} · ${t('onlyStl')}`}
        checked={isChosen}
        disabled={!file.is_mesh}
        onChange={onToggle}
      />
    </li>
  )
}

/** Brings the files among one's models, and goes to slice them. */
function useSlice(design: Design, files: readonly DesignFile[], chosen: ReadonlySet<number>) {
  const { t } = useTranslation('designs')
  const problemText = useProblemText()
  const navigate = useNavigate()
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const slice = async () => {
    if (chosen.size === 0) return toast(t('chooseOne'), 'failed', t('oops'))
    setBusy(true)
    try {
      const models = await bring(design.id, [...chosen])
      await client.invalidateQueries({ queryKey: ['slicer', 'models'] })
      const size = files.filter(({ id }) => chosen.has(id)).reduce((sum, file) => sum + file.size, 0)
      await navigate({
        to: paths.slice,
        search: {
          '3d_mesh_url': models.map((model) => model.mesh_url),
          total_size: String(size),
          target_gcode_name: `${design.name}.gcode`,
        },
      })
    } catch (error) {
      toast(problemText(problemOf(error)), 'failed', t('oops'))
      setBusy(false)
    }
    return undefined
  }
  return { slice, isBusy }
}
