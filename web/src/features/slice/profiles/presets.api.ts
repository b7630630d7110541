import { queryOptions } from '@tanstack/react-query'
import {
  deletePreset,
  listOwnMachines,
  listSavedPresets,
  type SavedPreset,
  savePreset,
} from '@vigil/contract/slice/presets.ts'
import { call } from '../../../lib/call.ts'
import { saveAs } from '../../../lib/csv.ts'
import type { Values } from './fields.ts'

export const presetsQuery = queryOptions({
  queryKey: ['slicer', 'presets'],
  queryFn: () => call(listSavedPresets),
})
export const ownMachinesQuery = queryOptions({
  queryKey: ['slicer', 'own-machines'],
  queryFn: () => call(listOwnMachines),
})

/** What a preset is, without its number: so it is saved, and written into a file. */
export interface PresetFile {
  readonly name: string
  readonly slicer_profiles: SavedPreset['slicer_profiles']
  readonly profile_overwrites: Values
}

export const keepPreset = ({ profile_overwrites, ...rest }: PresetFile, isShared: boolean) =>
  call(savePreset, {
    body: { ...rest, profile_overwrites: { ...profile_overwrites }, is_shared: isShared },
  })
export const dropPreset = (id: number) => call(deletePreset, { params: { id } })

const FORMAT = 'vigil-slice-preset'
/** No preset is as large. */
const FILE_BYTES = 256 * 1024

/** Has the browser keep a preset as a file that another Vigil reads. */
export function exportPreset({ name, slicer_profiles, profile_overwrites }: PresetFile): void {
  const text = JSON.stringify({ format: FORMAT, name, slicer_profiles, profile_overwrites }, null, 2)
  saveAs(`${name}.json`, `${text}\n`, 'application/json')
}

/** What such a file says; null when it is none. The server looks at what is in it. */
export async function readPresetFile(file: File): Promise<PresetFile | null> {
  if (file.size > FILE_BYTES) return null
  try {
    const said: unknown = JSON.parse(await file.text())
    if (!isRecord(said) || said['format'] !== FORMAT) return null
    const { name, slicer_profiles: of, profile_overwrites: own } = said
    if (typeof name !== 'string' || !isRecord(of) || !isRecord(own)) return null
    const sub = (key: string) => String(of[key] ?? '')
    return {
      name: name.slice(0, 100),
      slicer_profiles: {
        machine_sub_path: sub('machine_sub_path'),
        filament_sub_path: sub('filament_sub_path'),
        print_process_sub_path: sub('print_process_sub_path'),
      },
      profile_overwrites: Object.fromEntries(Object.entries(own).map(([key, value]) => [key, String(value)])),
    }
  } catch {
    return null
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
