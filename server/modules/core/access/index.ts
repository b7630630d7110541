export { findByToken, printersVisibleTo, type PrinterAction, type PrinterScope } from './access.queries.ts'
export { type Authorized, authorizePrinters, byServer, ofAgent, requirePrinter } from './access.policy.ts'
