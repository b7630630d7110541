export { useSignOut } from './sign-in.api.ts'
