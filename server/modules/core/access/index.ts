export { findByToken, printersVisibleTo, type PrinterScope } from './access.queries.ts'
export { type PrinterAction, reachesAll } from './roles.rules.ts'
export { type Authorized, authorizePrinters, byServer, ofAgent, requirePrinter } from './access.policy.ts'
