export { AddToQueue } from './AddToQueue.tsx'
export { QueuePanel } from './QueuePanel.tsx'
