import { ActionIcon, Popover, Switch } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { IconStack2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '../../../lib/translation.ts'
import { zonesQuery } from '../zones/index.ts'
import styles from './Camera.module.css'
import { type Layer, LAYER_NAMES, useLayer } from '../../../printer/camera/layers.ts'

/** What is drawn on the picture, at the owner's choice. `inside`: the part of the page that has the whole screen. */
export function LayersMenu({ printer, inside }: { printer: Printer; inside: HTMLElement | null }) {
  const { t } = useTranslation('camera')
  return (
    <Popover
      key={String(inside !== null)}
      position="top-end"
      width={300}
      shadow="md"
      trapFocus
      portalProps={inside ? { target: inside } : {}}
    >
      <Popover.Target>
        <ActionIcon aria-label={t('layers')} title={t('layers')}>
          <IconStack2 size={18} stroke={1.75} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown className={styles.layers} aria-label={t('layers')}>
        {LAYER_NAMES.map((name) => (
          <LayerSwitch key={name} name={name} printer={printer} />
        ))}
      </Popover.Dropdown>
    </Popover>
  )
}

function LayerSwitch({ name, printer }: { name: Layer; printer: Printer }) {
  const { t } = useTranslation('camera')
  const [shown, show] = useLayer(name)
  const { data } = useQuery({ ...zonesQuery(printer.id), enabled: name === 'zones' })
  const isEmpty = name === 'zones' && data?.zones.length === 0
  return (
    <Switch
      label={t(`layer.${name}.label`)}
      description={t(isEmpty ? 'layer.zones.none' : `layer.${name}.hint`)}
      checked={shown}
      onChange={(event) => show(event.currentTarget.checked)}
    />
  )
}
