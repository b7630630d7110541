export { ToolheadWidget } from './ToolheadWidget.tsx'
