import { usePlace } from '../../../lib/address.ts'
import { Folder, NoFolder } from './Folder.tsx'

/** The cloud store: one folder of it, or its root. */
export default function FoldersScreen() {
  const place = usePlace('id')
  const id = place === undefined ? null : Number(place)
  if (id !== null && !Number.isSafeInteger(id)) return <NoFolder />
  return <Folder key={id} id={id} />
}
