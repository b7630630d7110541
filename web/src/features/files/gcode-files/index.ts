export { PickCloudFile } from './PickCloudFile.tsx'
