export { useMoney } from './money.ts'
export { activeQuery, usePlan } from './subscription.api.ts'
