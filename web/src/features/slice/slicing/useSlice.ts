import { useQueryClient } from '@tanstack/react-query'
import type { SliceJob, SliceParams } from '@vigil/contract/slice/slicer.ts'
import { useCallback, useState } from 'react'
import { problemOf } from '../../../lib/errors.ts'
import { useProblemText } from '../../../ui/Notice.tsx'
import { type Chosen, profilesOf, type Values } from '../profiles/index.ts'
import { type Piece } from '../meshes/index.ts'
import { jobsQuery, startSlice } from './slicing.api.ts'

interface Wanted {
  pieces: readonly Piece[]
  chosen: Chosen
  overwrites: Values
  name: string
  picture: () => Promise<Blob>
}

/** `slice` is null until all is chosen that it needs. */
export function useSlice({ pieces, chosen, overwrites, name, picture }: Wanted) {
  const problemText = useProblemText()
  const client = useQueryClient()
  const [isSending, setSending] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const [job, setJob] = useState<string | null>(null)
  const [made, setMade] = useState<{ fileId: number; notes: SliceJob['notes'] } | null>(null)
  const end = useCallback(
    (fileId: number | null, notes: SliceJob['notes'] = []) => {
      setJob(null)
      setMade(fileId === null ? null : { fileId, notes })
      void client.invalidateQueries({ queryKey: jobsQuery.queryKey })
    },
    [client],
  )
  const params = paramsOf(pieces, chosen, overwrites, name)
  const begin = async (wanted: SliceParams) => {
    setSending(true)
    setMade(null)
    try {
      setJob(await startSlice(wanted, await picture()))
    } catch (error) {
      setRefused(problemText(problemOf(error)))
    } finally {
      setSending(false)
    }
  }
  return {
    slice: params && (() => begin(params)),
    begin,
    isSending,
    job,
    made,
    end,
    refused,
    dismiss: () => setRefused(null),
  }
}

function paramsOf(pieces: readonly Piece[], chosen: Chosen, overwrites: Values, name: string) {
  const profiles = profilesOf(chosen)
  if (pieces.length === 0 || name.trim() === '' || profiles === null) return null
  return {
    meshes: pieces.map(({ key: meshID, url, translate, rotate, scale }) => ({
      meshID,
      url,
      translate: vector(translate),
      rotate: vector(rotate),
      scale: vector(scale),
    })),
    slicer_profiles: profiles,
    profile_overwrites: { ...overwrites },
    target_gcode_name: name,
  }
}

const vector = ([x, y, z]: readonly [number, number, number]): [number, number, number] => [x, y, z]
