import { PrinterFilePage } from './PrinterFilePage.tsx'
import { PrinterPlace } from './PrinterPlace.tsx'

/** One file that lies on a printer. */
export default function PrinterFileScreen() {
  return (
    <PrinterPlace ofFile>
      {(printer, path) => <PrinterFilePage key={`${printer.id} ${path}`} printer={printer} path={path} />}
    </PrinterPlace>
  )
}
