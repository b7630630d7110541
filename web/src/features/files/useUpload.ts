import { useQuery, useQueryClient } from '@tanstack/react-query'
import { refresh, storageQuery } from './files.api.ts'
import { addUploads } from './uploads.ts'

/** What sends files into a folder. */
export function useUpload(): (files: readonly File[], folder: number | null) => void {
  const client = useQueryClient()
  const { data } = useQuery(storageQuery)
  return (files, folder) =>
    addUploads(files, {
      folder,
      maxBytes: data?.file_bytes ?? null,
      onStored: () => void refresh(client),
    })
}
