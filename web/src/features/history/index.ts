export { FilterBar } from './FilterBar.tsx'
export { queryOf } from './filters.ts'
export { useFilters } from './useFilters.ts'
export { usePrinters } from './useHistory.ts'
