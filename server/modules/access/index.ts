export { printersVisibleTo, type PrinterAction, type PrinterScope } from './access.queries.ts'
