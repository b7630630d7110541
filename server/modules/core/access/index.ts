export {
  accountsSeenBy,
  findByToken,
  printersVisibleTo,
  type PrinterScope,
  rolesOf,
} from './access.queries.ts'
export { type PrinterAction, reachesAll, type Role, roleMay } from './roles.rules.ts'
export { type Authorized, authorizePrinters, byServer, ofAgent, requirePrinter } from './access.policy.ts'
