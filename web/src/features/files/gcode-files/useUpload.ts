import type { StoredFileBase } from '@vigil/contract/files/gcode-files.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { storageQuery } from '../../shop/usage/index.ts'
import { refresh } from './gcode-files.api.ts'
import { addUploads } from './uploads.ts'

/** What sends files into a folder, and says of each that it lies there. */
export function useUpload(
  onStored?: (file: StoredFileBase) => void,
): (files: readonly File[], folder: number | null) => void {
  const client = useQueryClient()
  const { data } = useQuery(storageQuery)
  return (files, folder) =>
    addUploads(files, {
      folder,
      maxBytes: data?.file_bytes ?? null,
      onStored(file) {
        void refresh(client)
        onStored?.(file)
      },
    })
}
