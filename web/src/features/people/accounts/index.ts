export { DoorFrame } from './DoorFrame.tsx'
export { useEmails } from './emails.api.ts'
