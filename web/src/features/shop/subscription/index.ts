export { usePlan } from './subscription.api.ts'
