export { TemperaturesWidget } from './TemperaturesWidget.tsx'
