export { ReachPanel } from './ReachPanel.tsx'
