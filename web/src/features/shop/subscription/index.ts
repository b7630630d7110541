export { activeQuery, usePlan } from './subscription.api.ts'
