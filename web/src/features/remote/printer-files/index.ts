export { PickPrinterFile } from './PickPrinterFile.tsx'
