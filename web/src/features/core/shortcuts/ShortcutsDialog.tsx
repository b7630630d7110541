import { Box, Switch } from '@mantine/core'
import { Fragment } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import {
  SHORTCUTS,
  type ShortcutName,
  useOfferedShortcuts,
  useShortcutsWanted,
} from '../../../lib/shortcuts.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import styles from './Shortcuts.module.css'

/** What the keys do on the page at hand, and the switch for those whom they hinder. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('shortcuts')
  const offered = useOfferedShortcuts()
  const [wanted, setWanted] = useShortcutsWanted()
  const off = wanted === 'off'
  return (
    <Dialog onClose={onClose} title={t('title')}>
      <div className={styles.lists} data-off={off || undefined}>
        {(['page', 'everywhere'] as const).map((place) => {
          const here = offered.filter((name) => SHORTCUTS[name].place === place)
          if (here.length === 0) return null
          return (
            <section key={place}>
              <Box component="h3" fz={13} fw={600} c="dimmed" mb={4}>
                {t(`places.${place}`)}
              </Box>
              <Box component="dl" m={0}>
                {here.map((name) => (
                  <Row key={name} name={name} />
                ))}
              </Box>
            </section>
          )
        })}
      </div>
      <Box component="p" m="16px 0" fz={13} c="dimmed" role="status">
        {t(off ? 'off' : 'asks')}
      </Box>
      <Switch
        label={t('use')}
        description={t('useHint')}
        checked={!off}
        onChange={(event) => setWanted(event.currentTarget.checked ? 'on' : 'off')}
      />
    </Dialog>
  )
}

function Row({ name }: { name: ShortcutName }) {
  const { t } = useTranslation('shortcuts')
  const keys = SHORTCUTS[name].keys.split(' ')
  return (
    <div className={styles.row}>
      <dt>{t(`names.${name}`)}</dt>
      <dd>
        {keys.map((key, at) => (
          <Fragment key={key}>
            {at > 0 && (
              <Box component="span" fz={12} c="var(--v-faint)">
                {t('then')}
              </Box>
            )}
            <kbd className={styles.key}>{key}</kbd>
          </Fragment>
        ))}
      </dd>
    </div>
  )
}
