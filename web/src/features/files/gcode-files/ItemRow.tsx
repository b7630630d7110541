import { ActionIcon, Box, Group } from '@mantine/core'
import type { GCodeFolder, StoredFile } from '@vigil/contract/files/gcode-files.ts'
import { IconDots, IconFileCode, IconFolder } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '../../../lib/translation.ts'
import { filament, ms } from '../../../lib/format.ts'
import { detailsOf, estimatedOf } from '../../../lib/gcode-details.ts'
import { paths } from '../../../lib/paths.ts'
import { PrintFile } from '../../../printer/cloudprint/PrintFile.tsx'
import { RowSelect } from '../../../ui/RowSelect.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import { lazyMenu } from '../../../ui/lazy-menu.tsx'
import { startDragging, useDropTarget } from './dropping.ts'
import styles from './Files.module.css'
import { HowItWent, inOrder } from './HowItWent.tsx'
import type { Item } from './items.ts'
import { useBytes } from '../../../ui/useBytes.ts'

const ItemMenu = lazyMenu(async () => (await import('./ItemMenu.tsx')).ItemMenu)

interface ItemRowProps {
  item: Item
  selected: boolean
  /** It stands in the sheet beside the list. */
  isOpen: boolean
  onOpen: ((id: number) => void) | null
  onSelect: (key: string, on: boolean, range: boolean) => void
  onRename: () => void
  onMove: () => void
  onRemove: () => void
  /** The keys of what is dragged with this line. */
  dragged: () => readonly string[]
  /** What is dropped on this folder. */
  onDropItems: (keys: string[]) => void
  onDropFiles: (files: File[]) => void
}

/** A folder or a file in one line. */
export function ItemRow({
  item,
  selected,
  isOpen,
  onOpen,
  onSelect,
  dragged,
  onDropItems,
  onDropFiles,
  ...acts
}: ItemRowProps) {
  const { t } = useTranslation('gcode-files')
  const { target } = useDropTarget(
    item.kind === 'folder' ? { onItems: onDropItems, onFiles: onDropFiles } : {},
  )
  return (
    <article
      className={styles.row}
      data-kind={item.kind}
      data-selected={selected || isOpen || undefined}
      draggable
      onDragStart={(event) => startDragging(event, dragged())}
      {...target}
    >
      <RowSelect
        label={t('select.one', { name: item.name })}
        selected={selected}
        onSelect={(isOn, isRange) => onSelect(item.key, isOn, isRange)}
        className={styles.select}
      />
      <span className={styles.picture}>
        {item.kind === 'folder' ? <IconFolder size={22} stroke={1.5} /> : <Thumbnail file={item.file} />}
      </span>
      <Name item={item} isOpen={isOpen} onOpen={onOpen} />
      {item.kind === 'file' && <FileCells file={item.file} />}
      <Ends item={item} {...acts} />
    </article>
  )
}

/** The name, which leads to what it names: to the sheet where there is room for one. */
function Name({ item, isOpen, onOpen }: Pick<ItemRowProps, 'item' | 'isOpen' | 'onOpen'>) {
  return (
    <div className={styles.name}>
      <Link
        to={item.kind === 'folder' ? paths.folder(item.id) : paths.file(item.id)}
        draggable={false}
        aria-current={isOpen || undefined}
        onClick={(event) => {
          if (!onOpen || event.ctrlKey || event.metaKey || event.shiftKey) return
          event.preventDefault()
          onOpen(item.id)
        }}
      >
        <bdi>{item.name}</bdi>
      </Link>
      {item.kind === 'folder' ? <Inside folder={item.folder} /> : <About file={item.file} />}
    </div>
  )
}

/** Prints it, and what else can be done with it. */
function Ends({ item, ...acts }: Pick<ItemRowProps, 'item' | 'onRename' | 'onMove' | 'onRemove'>) {
  const { t } = useTranslation('gcode-files')
  return (
    <Group className={styles.menu} gap={4} wrap="nowrap" justify="flex-end">
      {item.kind === 'file' && (
        <Box visibleFrom="sm">
          <PrintFile inRow file={item.file} />
        </Box>
      )}
      <ItemMenu
        {...acts}
        item={item}
        button={
          <ActionIcon
            size="lg"
            variant="subtle"
            color="gray"
            aria-label={t('actions.of', { name: item.name })}
          >
            <IconDots size={18} stroke={1.75} />
          </ActionIcon>
        }
      />
    </Group>
  )
}

function Thumbnail({ file }: { file: StoredFile }) {
  const url = file.thumbnail2_url ?? file.thumbnail1_url
  return url ? (
    <img src={url} alt="" loading="lazy" draggable={false} />
  ) : (
    <IconFileCode size={22} stroke={1.5} />
  )
}

/** `2 folders, 14 files`. */
function Inside({ folder }: { folder: GCodeFolder }) {
  const { t } = useTranslation('gcode-files')
  const { g_code_folder_count: folders, g_code_file_count: files } = folder
  return (
    <span>
      {[...(folders > 0 ? [t('folders', { count: folders })] : []), t('filesCount', { count: files })].join(
        ', ',
      )}
    </span>
  )
}

/** When it came, and for which material. */
function About({ file }: { file: StoredFile }) {
  const { moment } = useTimeText()
  const created = ms(file.created_at)
  const material = detailsOf(file).find(({ name }) => name === 'filament_type')?.value
  return <span>{[created !== null && moment(created), material].filter(Boolean).join(' · ')}</span>
}

function FileCells({ file }: { file: StoredFile }) {
  const { t } = useTranslation('gcode-files')
  const { duration, moment } = useTimeText()
  const bytes = useBytes()
  const [last] = inOrder(file.print_set)
  const at = last ? ms(last.ended_at ?? last.started_at) : null
  const estimated = estimatedOf(file)
  const figure = (name: string, value: string) => (estimated.includes(name) ? `≈ ${value}` : value)
  return (
    <>
      <span className={styles.time}>
        {file.estimated_time === null ? '–' : figure('estimated_time', duration(file.estimated_time))}
      </span>
      <span className={styles.filament}>
        {file.filament_total === null ? '–' : figure('filament_total', filament(file.filament_total))}
      </span>
      <span className={styles.size}>{file.num_bytes === null ? '–' : bytes(file.num_bytes)}</span>
      <span className={styles.last}>
        {last ? (
          <>
            <HowItWent print={last} />
            <span>{at !== null && moment(at)}</span>
          </>
        ) : (
          <span>{t('prints.none')}</span>
        )}
      </span>
    </>
  )
}
