import { z } from 'zod'
import { managers, operators, readers } from '../callers.ts'
import { endpoint } from '../endpoint.ts'
import { gCodeFile, gCodeFileBase } from '../prints/prints.ts'
import { choice, id, pageOf, paged, text, timestamp } from '../values.ts'

/** docs/wire/rest.md 5, FolderBase: a folder of the cloud store; the counts are of what lies in it itself. */
export const gCodeFolderBase = z
  .object({
    id: z.int(),
    name: z.string(),
    safe_name: z.string(),
    parent_folder: z.int().nullable(),
    g_code_folder_count: z.int(),
    g_code_file_count: z.int(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'GCodeFolderBase' })
export type GCodeFolderBase = z.infer<typeof gCodeFolderBase>

export const gCodeFolder = gCodeFolderBase
  .extend({ parent_folder: gCodeFolderBase.nullable() })
  .meta({ id: 'GCodeFolder' })
export type GCodeFolder = z.infer<typeof gCodeFolder>

/** A file of the cloud store or of a printer as its owner sees it; answered also for a deleted one. */
export const storedFile = gCodeFile
  .extend({ parent_folder: gCodeFolderBase.nullable() })
  .meta({ id: 'StoredGCodeFile' })
export type StoredFile = z.infer<typeof storedFile>

/** What creating and changing a file answers. */
export const storedFileBase = gCodeFileBase.omit({ user: true }).meta({ id: 'StoredGCodeFileBase' })
export type StoredFileBase = z.infer<typeof storedFileBase>

/** Slicers bring files (docs/rules/slice.md). */
const listers = [...readers, 'slicer'] as const
const bringers = [...operators, 'slicer'] as const
const params = z.object({ id })

/** The root is `null`, the word, or nothing: forms have no other way to say it. */
const parent = z.preprocess((value) => (value === '' || value === 'null' ? null : value), id.nullable())
const name = text(1000)
  .transform((value) => value.trim())
  .pipe(z.string().min(1, { error: 'This field may not be blank.' }))

export const listGCodeFolders = endpoint({
  method: 'GET',
  path: '/api/v1/g_code_folders/',
  callers: listers,
  ofAccount: true,
  summary: "The caller's folders; of one folder, or all",
  query: z.object({
    ...paged(6),
    parent_folder: parent.optional(),
    sorting: choice(['name_asc', 'name_desc', 'created_at_asc', 'created_at_desc'], 'created_at_desc'),
  }),
  response: pageOf(gCodeFolder),
})

export const createGCodeFolder = endpoint({
  method: 'POST',
  path: '/api/v1/g_code_folders/',
  callers: bringers,
  ofAccount: true,
  summary: 'A new folder',
  status: 201,
  body: z.object({ name, parent_folder: parent.optional() }),
  response: gCodeFolderBase,
})

export const getGCodeFolder = endpoint({
  method: 'GET',
  path: '/api/v1/g_code_folders/:id/',
  callers: readers,
  ofAccount: true,
  summary: 'One folder',
  params,
  response: gCodeFolder,
})

const folderChange = z.object({ name: name.optional(), parent_folder: parent.optional() })
export const patchGCodeFolder = endpoint({
  method: 'PATCH',
  path: '/api/v1/g_code_folders/:id/',
  callers: managers,
  ofAccount: true,
  summary: 'Renames a folder or moves it',
  params,
  body: folderChange,
  response: gCodeFolderBase,
})
export const putGCodeFolder = endpoint({ ...patchGCodeFolder, method: 'PUT' })

export const deleteGCodeFolder = endpoint({
  method: 'DELETE',
  path: '/api/v1/g_code_folders/:id/',
  callers: managers,
  ofAccount: true,
  summary: 'Deletes a folder with all that lies in it',
  params,
  status: 204,
  response: null,
})

export const getGCodeFolderPath = endpoint({
  method: 'GET',
  path: '/api/v1/g_code_folders/:id/path/',
  callers: readers,
  ofAccount: true,
  summary: 'The folders from the root to one, itself the last',
  params,
  response: z.array(gCodeFolderBase),
})

export const getGCodeStorage = endpoint({
  method: 'GET',
  path: '/api/v1/g_code_storage/',
  callers: readers,
  ofAccount: true,
  summary: 'What the cloud store of the caller holds, and what the plan gives; null is no limit',
  response: z.object({
    used_bytes: z.number(),
    storage_bytes: z.number().nullable(),
    file_bytes: z.number().nullable(),
  }),
})

const many = z.array(id).max(1000)

export const bulkDeleteGCodeFolders = endpoint({
  method: 'POST',
  path: '/api/v1/g_code_folders/bulk_delete/',
  callers: managers,
  ofAccount: true,
  summary: 'Deletes folders with all that lies in them',
  body: z.object({ folder_ids: many }),
  status: 204,
  response: null,
})

export const bulkMoveGCodeFolders = endpoint({
  method: 'POST',
  path: '/api/v1/g_code_folders/bulk_move/',
  callers: managers,
  ofAccount: true,
  summary: 'Moves folders into another, or to the root',
  body: z.object({ folder_ids: many, parent_folder: parent }),
  status: 204,
  response: null,
})

export const listGCodeFiles = endpoint({
  method: 'GET',
  path: '/api/v1/g_code_files/',
  callers: listers,
  ofAccount: true,
  summary: "The caller's files in the cloud, or those on a printer",
  query: z.object({
    ...paged(6),
    parent_folder: parent.optional(),
    q: text(1000).optional(),
    safe_filename: text(1000).optional(),
    agent_signature: text(256).optional(),
    resident_printer: id.optional(),
    sorting: choice(
      [
        'filename_asc',
        'filename_desc',
        'num_bytes_asc',
        'num_bytes_desc',
        'created_at_asc',
        'created_at_desc',
      ],
      'created_at_desc',
    ),
  }),
  response: pageOf(storedFile),
})

const refused = z.object({ error: z.string() }).meta({ id: 'FileRefused' })

export const uploadGCodeFile = endpoint({
  method: 'POST',
  path: '/api/v1/g_code_files/',
  callers: bringers,
  ofAccount: true,
  summary: 'Stores a file in the cloud',
  upload: 'file',
  status: 201,
  body: z.object({ filename: name, parent_folder: parent.optional() }),
  answers: { 400: refused, 413: refused },
  response: storedFileBase,
})

/** The same in parts that can be resumed. */
export const uploadGCodeFileInParts = endpoint({
  ...uploadGCodeFile,
  callers: ['session', 'oauth'],
})

export const getGCodeFile = endpoint({
  method: 'GET',
  path: '/api/v1/g_code_files/:id/',
  callers: readers,
  ofAccount: true,
  summary: 'One file, also a deleted one',
  params,
  response: storedFile,
})

export const listGCodeCopies = endpoint({
  method: 'GET',
  path: '/api/v1/g_code_files/:id/copies/',
  callers: readers,
  ofAccount: true,
  summary: "The caller's other files with the same content, which is stored once",
  params,
  response: z.array(
    z.object({ id: z.int(), filename: z.string(), parent_folder: gCodeFolderBase.nullable() }),
  ),
})

export const patchGCodeFile = endpoint({
  method: 'PATCH',
  path: '/api/v1/g_code_files/:id/',
  callers: managers,
  ofAccount: true,
  summary: 'Renames a file or moves it',
  params,
  body: z.object({ filename: name.optional(), parent_folder: parent.optional() }),
  response: storedFileBase,
})
export const putGCodeFile = endpoint({ ...patchGCodeFile, method: 'PUT' })

export const deleteGCodeFile = endpoint({
  method: 'DELETE',
  path: '/api/v1/g_code_files/:id/',
  callers: managers,
  ofAccount: true,
  summary: 'Deletes a file',
  params,
  status: 204,
  response: null,
})

export const bulkDeleteGCodeFiles = endpoint({
  method: 'POST',
  path: '/api/v1/g_code_files/bulk_delete/',
  callers: managers,
  ofAccount: true,
  summary: 'Deletes files',
  body: z.object({ file_ids: many }),
  status: 204,
  response: null,
})

export const bulkMoveGCodeFiles = endpoint({
  method: 'POST',
  path: '/api/v1/g_code_files/bulk_move/',
  callers: managers,
  ofAccount: true,
  summary: 'Moves files into a folder, or to the root',
  body: z.object({ file_ids: many, parent_folder: parent }),
  status: 204,
  response: null,
})

/** A slicer asks this to see whether it can reach us. */
export const getVersion = endpoint({
  method: 'GET',
  path: '/api/v1/version/',
  callers: listers,
  summary: 'The version of this interface',
  response: z.object({ version: z.literal('1.0.0') }),
})
