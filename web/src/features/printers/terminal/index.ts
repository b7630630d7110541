export { TerminalWidget } from './TerminalWidget.tsx'
