export { ReplayLink } from './ReplayLink.tsx'
