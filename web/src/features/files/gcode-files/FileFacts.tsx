import type { StoredFile } from '@vigil/contract/files/gcode-files.ts'
import { useTranslation } from 'react-i18next'
import { dateAndTime, ms } from '../../../lib/format.ts'
import { detailsOf } from '../../../lib/gcode-details.ts'
import { Facts } from '../../../ui/Facts.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useDetailText } from '../../../ui/useDetailText.ts'
import { useBytes } from '../../../ui/useBytes.ts'

/** Size, age, and what its slicer says of it. */
export function FileFacts({ file }: { file: StoredFile }) {
  const { t, i18n } = useTranslation('gcode-files')
  const bytes = useBytes()
  const { label, value } = useDetailText()
  const created = ms(file.created_at)
  const rows: [string, string | null][] = [
    [t('file.size'), file.num_bytes === null ? null : bytes(file.num_bytes)],
    [t('file.created'), created === null ? null : dateAndTime(i18n.language, created)],
    ...detailsOf(file).map((detail): [string, string] => [label(detail), value(detail)]),
  ]
  return (
    <Panel title={t('file.facts')}>
      <Facts rows={rows} />
    </Panel>
  )
}
