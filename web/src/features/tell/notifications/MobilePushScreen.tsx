import { paths } from '../../../lib/paths.ts'
import { GoTo } from '../../../ui/GoTo.tsx'

/** Where apps look for it; it is a channel like the others. */
export default function MobilePushScreen() {
  return <GoTo to={paths.channel('mobile')} />
}
