export { MacrosWidget } from './MacrosWidget.tsx'
