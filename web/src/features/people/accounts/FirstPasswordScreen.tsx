export { FirstPasswordScreen as default } from './PasswordScreen.tsx'
