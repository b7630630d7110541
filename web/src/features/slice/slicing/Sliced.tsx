import { Box, Button, Flex, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { SliceJob } from '@vigil/contract/slice/slicer.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { GcodeView } from '../../../gcode/index.ts'
import { grams } from '../../../lib/format.ts'
import { bedAreaOf, detailsOf } from '../../../lib/gcode-details.ts'
import { paths } from '../../../lib/paths.ts'
import { PrintFile } from '../../../printer/cloudprint/PrintFile.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import { AddToQueue } from '../../files/queue/index.ts'
import { usePrice, weightOf } from '../profiles/index.ts'
import { slicedQuery } from './slicing.api.ts'

interface SlicedProps {
  fileId: number
  /** What the slicer has otherwise than was wanted. */
  notes: SliceJob['notes']
}

/** What was sliced, for those who stay: how long it takes, what it costs, what it prints, and the ways on. */
export function Sliced({ fileId, notes }: SlicedProps) {
  const { t } = useTranslation('slicing')
  const { data: file } = useQuery(slicedQuery(fileId))
  if (!file) return null
  return (
    <Panel title={<bdi>{file.filename}</bdi>}>
      <Stack gap={12}>
        <Costs file={file} />
        {notes.length > 0 && <Notes notes={notes} />}
        <Flex wrap="wrap" gap={8}>
          <PrintFile file={file} />
          <AddToQueue file={file} />
          <Button variant="default" renderRoot={(props) => <Link {...props} to={paths.file(file.id)} />}>
            {t('toFile')}
          </Button>
        </Flex>
        {file.url !== null && <GcodeView url={file.url} bedArea={bedAreaOf(file)} />}
      </Stack>
    </Panel>
  )
}

function Costs({ file }: { file: Parameters<typeof detailsOf>[0] }) {
  const { t, i18n } = useTranslation('slicing')
  const { duration } = useTimeText()
  const [price] = usePrice()
  const details = detailsOf(file)
  const valueOf = (name: string) => {
    const value = details.find((one) => one.name === name)?.value
    return typeof value === 'number' ? value : null
  }
  const seconds = valueOf('estimated_time')
  const weight = weightOf(valueOf('filament_weight_total'), valueOf('filament_total'))
  const cost = price === null || weight === null ? null : (price * weight) / 1000
  return (
    <Facts
      rows={[
        [t('estimate'), seconds === null ? null : duration(seconds)],
        [t('material'), weight === null ? null : grams(weight)],
        [
          t('cost'),
          cost === null
            ? null
            : new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 2 }).format(cost),
        ],
      ]}
    />
  )
}

function Notes({ notes }: Pick<SlicedProps, 'notes'>) {
  const { t } = useTranslation('slicing')
  const named = (key: string) => t(`field.${key}`, { defaultValue: key })
  return (
    <Box component="ul" m="0 0 8px" ps={18} c="dimmed">
      {notes.map(({ key, value, used }) => (
        <li key={key}>
          {used === null
            ? t('note.left', { name: named(key), value })
            : t('note.used', { name: named(key), value, used })}
        </li>
      ))}
    </Box>
  )
}
