export { TemperaturesWidget } from './TemperaturesWidget.tsx'
export { type Frame, type History, linePath, nearest, readHistory, ticks, xOf, yOf } from './history.ts'
