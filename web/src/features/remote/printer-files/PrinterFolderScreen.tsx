import { PrinterFolder } from './PrinterFolder.tsx'
import { PrinterPlace } from './PrinterPlace.tsx'

/** The files that lie on a printer: one folder of them, or the root. */
export default function PrinterFolderScreen() {
  return (
    <PrinterPlace>
      {(printer, path) => <PrinterFolder key={`${printer.id} ${path}`} printer={printer} folder={path} />}
    </PrinterPlace>
  )
}
