export { useEmails } from './emails.api.ts'
