export { FirstLayerPanel } from './FirstLayerPanel.tsx'
