export { useHouseholds } from './household.api.ts'
