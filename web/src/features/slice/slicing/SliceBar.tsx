import { Button, Switch, TextInput } from '@mantine/core'
import { IconStack2 } from '@tabler/icons-react'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { problemOf } from '../../../lib/errors.ts'
import { useStoredChoice } from '../../../lib/stored.ts'
import { toast } from '../../../lib/toast.ts'
import { useProblemText } from '../../../ui/Notice.tsx'
import type { Values } from './fields.ts'
import type { Piece } from './plate.ts'
import type { Chosen } from './ProfilePanel.tsx'
import { startSlice } from './slicing.api.ts'
import { SliceRun, Sliced } from './SliceRun.tsx'
import styles from './Slicing.module.css'

interface SliceBarProps {
  pieces: readonly Piece[]
  chosen: Chosen
  overwrites: Values
  /** The name of a piece that stands beyond the bed. */
  outside: string | null
  name: string
  onName: (name: string) => void
  picture: () => Promise<Blob>
}

/** The button, and what comes of it. */
export function SliceBar(props: SliceBarProps) {
  const { t } = useTranslation('slicing')
  const [stay, setStay] = useStoredChoice('slicer-stay', ['yes', 'no'], 'no')
  const { slice, isSending, job, fileId, end } = useSlice(props)
  const { outside, name, onName } = props
  return (
    <>
      <div className={styles.bar}>
        <TextInput
          label={t('name')}
          value={name}
          maxLength={150}
          onChange={(event) => onName(event.currentTarget.value)}
        />
        <Switch
          label={t('stay')}
          checked={stay === 'yes'}
          onChange={(event) => setStay(event.currentTarget.checked ? 'yes' : 'no')}
        />
        <Button
          variant="filled"
          size="md"
          leftSection={<IconStack2 size={18} stroke={1.75} />}
          loading={isSending}
          disabled={slice === null || outside !== null}
          onClick={() => void slice?.()}
        >
          {outside === null ? t('slice') : t('beyond', { name: outside })}
        </Button>
      </div>
      {job !== null && <SliceRun job={job} isStaying={stay === 'yes'} onEnd={end} />}
      {fileId !== null && <Sliced fileId={fileId} />}
    </>
  )
}

/** `slice` is null until all is chosen that it needs. */
function useSlice({ pieces, chosen, overwrites, name, picture }: SliceBarProps) {
  const { t } = useTranslation('slicing')
  const problemText = useProblemText()
  const [isSending, setSending] = useState(false)
  const [job, setJob] = useState<string | null>(null)
  const [fileId, setFileId] = useState<number | null>(null)
  const end = useCallback((made: number | null) => {
    setJob(null)
    setFileId(made)
  }, [])
  const params = paramsOf(pieces, chosen, overwrites, name)
  const begin = async (wanted: NonNullable<typeof params>) => {
    setSending(true)
    setFileId(null)
    try {
      setJob(await startSlice(wanted, await picture()))
    } catch (error) {
      toast(problemText(problemOf(error)), 'failed', t('error'))
    } finally {
      setSending(false)
    }
  }
  return { slice: params && (() => begin(params)), isSending, job, fileId, end }
}

function paramsOf(
  pieces: readonly Piece[],
  { machine, filament, process }: Chosen,
  overwrites: Values,
  name: string,
) {
  if (pieces.length === 0 || name.trim() === '' || !machine || !filament || !process) return null
  return {
    meshes: pieces.map(({ key: meshID, url, translate, rotate, scale }) => ({
      meshID,
      url,
      translate: vector(translate),
      rotate: vector(rotate),
      scale: vector(scale),
    })),
    slicer_profiles: {
      machine_sub_path: machine.sub_path,
      filament_sub_path: filament.sub_path,
      print_process_sub_path: process.sub_path,
    },
    profile_overwrites: { ...overwrites },
    target_gcode_name: name,
  }
}

const vector = ([x, y, z]: readonly [number, number, number]): [number, number, number] => [x, y, z]
