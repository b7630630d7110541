import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { type Problem, problemOf } from '../../../lib/errors.ts'
import { type Asked, isWhole, isWholePile, listQuery, readMore } from './gcode-files.api.ts'
import { folderItem, type Item, itemOf } from './items.ts'
import { useQueryValues } from '../../../lib/address.ts'
import { useStoredChoice } from '../../../lib/stored.ts'

const NONE: Item[] = []

/** What a folder holds as far as it is read, and reading on. */
export function useListing(asked: Asked) {
  const client = useQueryClient()
  const { data, error, isError, isFetching, refetch } = useQuery(listQuery(asked))
  const [state, setState] = useState<'idle' | 'reading' | Problem>('idle')
  const isThere = data !== undefined && isWhole(data)
  const canRead = data !== undefined && !isThere && !isFetching && state === 'idle'
  const key = JSON.stringify(asked)
  useEffect(() => setState('idle'), [key])
  const more = useCallback(() => {
    if (!canRead) return
    setState('reading')
    readMore(client, asked).then(
      () => setState('idle'),
      (problem: unknown) => setState(problemOf(problem)),
    )
  }, [canRead, client, asked])
  const items = useMemo(() => {
    if (!data) return NONE
    const folders = data.folders.rows.map(folderItem)
    return isWholePile(data.folders) ? [...folders, ...data.files.rows.map(itemOf)] : folders
  }, [data])
  return {
    items,
    /** How many there are, read or not. */
    counts: data && { folders: data.folders.count, files: data.files.count },
    isWhole: isThere,
    isPending: data === undefined && !isError,
    /** Why there is no list. */
    problem: data === undefined && isError ? problemOf(error) : null,
    retry: () => void refetch(),
    /** Reads the next page, where that makes sense. */
    more,
    /** Why that did not work; nothing more is read until `retryMore`. */
    moreProblem: typeof state === 'object' ? state : null,
    retryMore: () => setState('idle'),
  }
}

export const SORTINGS = ['name', 'size', 'created_at'] as const
const DIRECTIONS = ['desc', 'asc'] as const

/** How lists of files are sorted, kept in this browser. */
export function useSorting() {
  const [by, setBy] = useStoredChoice('gcodesSorting-sorting', SORTINGS, 'created_at')
  const [direction, setDirection] = useStoredChoice('gcodesSorting-direction', DIRECTIONS, 'desc')
  return { by, setBy, direction, setDirection }
}

/** What is shown of a folder: in this browser's order, or what the address looks for in all of them. */
export function useAsked(folder: number | null): Asked {
  const { by, direction } = useSorting()
  const { q = '' } = useQueryValues()
  return useMemo(() => ({ folder, q, by, direction }), [folder, q, by, direction])
}
