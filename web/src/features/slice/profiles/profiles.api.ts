import {
  getSlicePreset,
  getSliceSettings,
  listMachineModels,
  listPrintProcesses,
  listSliceFilaments,
  saveSliceSettings,
  type SliceMachine,
  type SlicePreset,
} from '@vigil/contract/slice/slicer.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'

export const machinesQuery = queryOptions({
  queryKey: ['slicer', 'machines'],
  queryFn: () => call(listMachineModels),
  staleTime: 600_000,
})
/** What was sliced with last. */
export const settingsQuery = queryOptions({
  queryKey: ['slicer', 'settings'],
  queryFn: () => call(getSliceSettings),
  staleTime: Infinity,
})
export const filamentsQuery = (machineId: number) =>
  queryOptions({
    queryKey: ['slicer', 'filaments', machineId],
    queryFn: () => call(listSliceFilaments, { query: { machine_id: machineId } }),
  })
export const processesQuery = (machineId: number) =>
  queryOptions({
    queryKey: ['slicer', 'processes', machineId],
    queryFn: () => call(listPrintProcesses, { query: { machine_id: machineId } }),
  })
/** What a profile says; 0 is none. */
export const presetQuery = (id: number) =>
  queryOptions({
    queryKey: ['slicer', 'preset', id],
    queryFn: () => call(getSlicePreset, { params: { id } }),
    enabled: id !== 0,
    staleTime: Infinity,
  })

export const keepSettings = (machine: SliceMachine, filament: SlicePreset, process: SlicePreset) =>
  call(saveSliceSettings, {
    body: { machine_id: machine.id, filament_id: filament.id, print_process_id: process.id },
  })
