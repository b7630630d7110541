export { OpenTunnel } from './OpenTunnel.tsx'
