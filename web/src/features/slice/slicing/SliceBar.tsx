import { Button, Stack, Switch, TextInput } from '@mantine/core'
import { IconLayoutGrid, IconStack2 } from '@tabler/icons-react'
import { useTranslation } from '../../../lib/translation.ts'
import { useStoredChoice } from '../../../lib/stored.ts'
import shared from '../../../ui/shared.module.css'
import { Refused, SliceRun } from './SliceRun.tsx'
import { type Trouble } from '../plate/index.ts'
import type { useSlice } from './useSlice.ts'

interface SliceBarProps {
  run: ReturnType<typeof useSlice>
  trouble: Trouble | null
  /** Puts all where they stand side by side on the bed. */
  onRepair: () => void
  name: string
  onName: (name: string) => void
}

/** The button, and what goes on when it was pressed. */
export function SliceBar(props: SliceBarProps) {
  const { t } = useTranslation('slicing')
  const [stay, setStay] = useStoredChoice('slicer-stay', ['yes', 'no'], 'no')
  const { slice, isSending, job, end, refused, dismiss } = props.run
  const { trouble, onRepair, name, onName } = props
  return (
    <>
      <Stack gap={12}>
        <TextInput
          label={t('name')}
          value={name}
          maxLength={150}
          onChange={(event) => onName(event.currentTarget.value)}
        />
        <Switch
          label={t('stay')}
          checked={stay === 'yes'}
          onChange={(event) => setStay(event.currentTarget.checked ? 'yes' : 'no')}
        />
        <Button
          className={shared.inReach}
          variant="filled"
          size="md"
          leftSection={<IconStack2 size={18} stroke={1.75} />}
          loading={isSending}
          disabled={slice === null || trouble?.kind === 'outside'}
          onClick={() => void slice?.()}
        >
          {trouble === null
            ? t('slice')
            : t(trouble.kind === 'outside' ? 'beyond' : 'sliceTouching', trouble)}
        </Button>
        {trouble !== null && (
          <Button leftSection={<IconLayoutGrid size={18} stroke={1.75} />} onClick={onRepair}>
            {t('arrange')}
          </Button>
        )}
      </Stack>
      {refused !== null && <Refused why={refused} onClose={dismiss} />}
      {job !== null && <SliceRun job={job} isStaying={stay === 'yes'} onEnd={end} />}
    </>
  )
}
