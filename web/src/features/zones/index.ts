export { ZonesPanel } from './ZonesPanel.tsx'
export { ZoneShapes } from './ZoneShapes.tsx'
export { zonesQuery } from './zones.api.ts'
