export { HeaterPlot, plotFrame } from './HeaterPlot.tsx'
export { TemperaturesWidget } from './TemperaturesWidget.tsx'
export { type Frame, type History, nearest, readHistory, xOf } from './history.ts'
