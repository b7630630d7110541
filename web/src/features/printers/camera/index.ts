export { CameraPanel } from './CameraPanel.tsx'
