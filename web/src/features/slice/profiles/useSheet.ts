import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useQueryValues } from '../../../lib/address.ts'

const SHEETS = [
  'print_profile_sheet',
  'machine_selection_sheet',
  'filament_selection_sheet',
  'print_process_selection_sheet',
] as const
type Sheet = (typeof SHEETS)[number]

/** A sheet that is open while the address says so: going back closes it. */
export function useSheet(name: Sheet) {
  const values = useQueryValues()
  const navigate = useNavigate()
  // Whoever opens or closes one later means the address of then.
  const latest = useRef(values)
  useEffect(() => {
    latest.current = values
  })
  const go = (value: string | undefined, replace: boolean) =>
    void navigate({ to: '.', search: { ...latest.current, [name]: value }, replace })
  return {
    isOpen: values[name] === 'open',
    open: () => go('open', false),
    close: () => go(undefined, true),
  }
}
export type SheetState = ReturnType<typeof useSheet>

/** No sheet is open when the page comes, whatever its address says. */
export function useNoSheets(): void {
  const values = useQueryValues()
  const navigate = useNavigate()
  const isFirst = useRef(true)
  useEffect(() => {
    if (!isFirst.current) return
    isFirst.current = false
    if (!SHEETS.some((name) => name in values)) return
    const search = Object.fromEntries(
      Object.entries(values).filter(([name]) => !SHEETS.some((one) => one === name)),
    )
    void navigate({ to: '.', search, replace: true })
  }, [values, navigate])
}
