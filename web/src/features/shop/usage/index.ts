export { hoursQuery, storageQuery, tunnelUsageQuery } from './usage.api.ts'
export { Usage } from './Usage.tsx'
