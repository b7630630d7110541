import { Combobox, Loader, Text, TextInput, useCombobox } from '@mantine/core'
import {
  type Icon,
  IconFileCode,
  IconHistory,
  IconAdjustmentsHorizontal,
  IconPrinter,
  IconSearch,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import shared from '../../../ui/shared.module.css'
import styles from './Finder.module.css'
import { type Group, useFinds } from './useFinds.ts'

const ICONS: Record<Group['kind'], Icon> = {
  printers: IconPrinter,
  pages: IconAdjustmentsHorizontal,
  files: IconFileCode,
  prints: IconHistory,
}

/** Goes to anything by its name: arrows choose, Enter goes, Escape leaves. */
export function FinderDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('finder')
  return (
    <Dialog title={t('title')} onClose={onClose} size={560} yOffset="10vh" data-finder>
      <Search onClose={onClose} />
    </Dialog>
  )
}

function Search({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('finder')
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const { groups, isPending, hasFailed } = useFinds(typed)
  // It is the dialog: it has no other state than open.
  const combobox = useCombobox({ opened: true })
  const names = groups.flatMap(({ finds }) => finds.map(({ to }) => to)).join()
  const { selectFirstOption } = combobox
  useEffect(() => {
    selectFirstOption()
  }, [names, selectFirstOption])

  function go(to: string) {
    onClose()
    void navigate({ to })
  }

  return (
    <>
      <Combobox store={combobox} onOptionSubmit={go}>
        <Combobox.EventsTarget>
          <TextInput
            data-autofocus
            role="combobox"
            aria-autocomplete="list"
            aria-label={t('label')}
            placeholder={t('label')}
            maxLength={200}
            leftSection={<IconSearch size={17} stroke={1.75} aria-hidden />}
            rightSection={isPending && <Loader size={16} role="img" aria-label={t('pending')} />}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            // A list that unfolds would keep it for itself.
            onKeyDown={({ key, nativeEvent }) => key === 'Escape' && !nativeEvent.isComposing && onClose()}
          />
        </Combobox.EventsTarget>
        <Combobox.Options className={styles.options} aria-busy={isPending}>
          {groups.map((group) => (
            <FoundGroup key={group.kind} {...group} />
          ))}
        </Combobox.Options>
      </Combobox>
      <p className={shared.small} role="status">
        {hasFailed ? t('failed') : groups.length === 0 && !isPending && t('nothing')}
      </p>
    </>
  )
}

function FoundGroup({ kind, finds }: Group) {
  const { t } = useTranslation('finder')
  return (
    <Combobox.Group label={t(`kinds.${kind}`)}>
      {finds.map(({ to, label, note, icon: FindIcon = ICONS[kind] }) => (
        <Combobox.Option key={to} value={to} className={styles.option}>
          <FindIcon size={18} stroke={1.75} aria-hidden />
          <bdi className={styles.name}>{label}</bdi>
          {note && (
            <Text span size="sm" c="var(--v-soft)" className={styles.note}>
              {note}
            </Text>
          )}
        </Combobox.Option>
      ))}
    </Combobox.Group>
  )
}
