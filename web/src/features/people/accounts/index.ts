export { DoorFrame } from '../door/DoorFrame.tsx'
export { useEmails } from './emails.api.ts'
