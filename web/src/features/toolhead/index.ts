export { ControlsWidget } from './ControlsWidget.tsx'
