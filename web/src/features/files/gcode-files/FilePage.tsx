import { ActionIcon, Button, Flex, Menu, Stack } from '@mantine/core'
import {
  IconFileCode,
  IconDots,
  IconDownload,
  IconFolderSymlink,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { StoredFile } from '@vigil/contract/files/gcode-files.ts'
import type { PrintBase } from '@vigil/contract/prints/prints.ts'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { GcodeView } from '../../../gcode/index.ts'
import { useMessages } from '../../../lib/catalogue.ts'
import { dateAndTime, ms } from '../../../lib/format.ts'
import { detailsOf, bedAreaOf } from '../../../lib/gcode-details.ts'
import { paths } from '../../../lib/paths.ts'
import { useTitle } from '../../../lib/title.ts'
import { FileHandOvers } from '../../../printer/cloudprint/HandOvers.tsx'
import { PrintFile } from '../../../printer/cloudprint/PrintFile.tsx'
import { Column, Columns } from '../../../ui/Columns.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useTimeText } from '../../../ui/time.tsx'
import { useBytes } from '../../../ui/useBytes.ts'
import { useDetailText } from '../../../ui/useDetailText.ts'
import { FileChat } from '../../assistant/file-chat/index.ts'
import { FitsPanel } from '../machines/index.ts'
import { AddToQueue } from '../queue/index.ts'
import { MoveDialog, RenameDialog } from './dialogs.ts'
import shared from '../../../ui/shared.module.css'
import styles from './FilePage.module.css'
import { copiesQuery } from './gcode-files.api.ts'
import { countsOf, HowItWent, inOrder } from './HowItWent.tsx'
import { itemOf } from './items.ts'
import { useRemove } from './useChanges.ts'

/** Larger files are read when somebody asks for it: a phone may pay for each MB. */
const AT_ONCE_BYTES = 30_000_000

/** What the file prints, in three dimensions. */
export function FileGcode({ file }: { file: StoredFile }) {
  const { t } = useTranslation('gcode')
  const sizeText = useBytes()
  const bytes = file.num_bytes ?? 0
  const [isWanted, setWanted] = useState(bytes <= AT_ONCE_BYTES)
  if (file.url === null) return null
  return (
    <Panel title={t('title')}>
      {isWanted ? (
        <GcodeView url={file.url} bedArea={bedAreaOf(file)} />
      ) : (
        <Stack gap={12} align="flex-start" fz={14} c="dimmed">
          <p>{t('large', { size: sizeText(bytes) })}</p>
          <Button onClick={() => setWanted(true)}>{t('show')}</Button>
        </Stack>
      )}
    </Panel>
  )
}

/** One file of the cloud store, whole: how it looks, what is known of it, what was made of it, what can be done with it. */
export function FilePage({ file }: { file: StoredFile }) {
  const { t } = useTranslation('gcode-files')
  const message = useMessages()
  useTitle(file.filename)
  const isThere = file.deleted === null
  const folder = file.parent_folder
  return (
    <>
      <PageHeader
        back={{ to: folder ? paths.folder(folder.id) : paths.folders, label: t('file.back') }}
        title={<bdi>{file.filename}</bdi>}
        note={isThere ? null : <strong role="alert">{message('fileDeleted')}</strong>}
        actions={isThere && <FileActions file={file} />}
      />
      <Columns>
        <Column>
          {file.url === null ? <FilePicture file={file} /> : <FileGcode file={file} />}
          <div className={styles.under}>
            {isThere && <FitsPanel fileId={file.id} />}
            <FilePrints file={file} />
          </div>
        </Column>
        <Column className={styles.side}>
          <FileHandOvers fileId={file.id} />
          {file.url !== null && file.thumbnail1_url !== null && <FilePicture file={file} />}
          <FileFacts file={file} />
          {isThere && <FileCopies file={file} />}
          <FileChat fileId={file.id} />
        </Column>
      </Columns>
    </>
  )
}

/** The largest picture that the slicer drew. */
function FilePicture({ file }: { file: StoredFile }) {
  const { t } = useTranslation('gcode-files')
  return (
    <div className={styles.picturePlace}>
      {file.thumbnail1_url ? (
        <img src={file.thumbnail1_url} alt={t('file.picture')} />
      ) : (
        <>
          <IconFileCode size={48} stroke={1.25} aria-hidden />
          <p>{t('file.noPicture')}</p>
        </>
      )}
    </div>
  )
}

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

/** Where the same content lies, too. */
function FileCopies({ file }: { file: StoredFile }) {
  const { t } = useTranslation('gcode-files')
  const { data } = useQuery(copiesQuery(file.id))
  if (!data || data.length === 0) return null
  return (
    <Panel title={t('copies.title')}>
      <p className={shared.small}>{t('copies.note')}</p>
      <ul className={styles.prints}>
        {data.map(({ id, filename, parent_folder: folder }) => (
          <li key={id}>
            <Link to={paths.file(id)}>
              <bdi>{t('copies.in', { name: filename, folder: folder?.name ?? t('root') })}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** What was printed of this file, and how it went. */
export function FilePrints({ file }: { file: StoredFile }) {
  const { t } = useTranslation('gcode-files')
  const prints = inOrder(file.print_set)
  const { total, success, failed } = countsOf(prints)
  return (
    <Panel title={t('prints.title')} aside={total > 0 && t('prints.total', { count: total })}>
      {total === 0 ? (
        <p className={shared.small}>{t('prints.none')}</p>
      ) : (
        <>
          <Flex component="p" wrap="wrap" gap="4px 18px" mb={8} c="dimmed" fz={13}>
            <span>{t('prints.success', { count: success })}</span>
            <span>{t('prints.failed', { count: failed })}</span>
          </Flex>
          <ul className={styles.prints}>
            {prints.map((print) => (
              <PrintLine key={print.id} print={print} />
            ))}
          </ul>
        </>
      )}
    </Panel>
  )
}

function PrintLine({ print }: { print: PrintBase }) {
  const { t } = useTranslation('gcode-files')
  const { moment } = useTimeText()
  const at = ms(print.ended_at ?? print.started_at)
  return (
    <li>
      <HowItWent print={print} />
      <Link to={paths.print(print.id)}>
        {at === null ? t('prints.open') : moment(at)}
        {print.printer && (
          <>
            {' · '}
            <bdi>{print.printer.name}</bdi>
          </>
        )}
      </Link>
    </li>
  )
}

/** What can be done with a file; the buttons of those who print it stand first. */
function FileActions({ file }: { file: StoredFile }) {
  const { t } = useTranslation('gcode-files')
  const [open, setOpen] = useState<'rename' | 'move' | null>(null)
  const navigate = useNavigate()
  const remove = useRemove()
  const item = itemOf(file)
  const close = () => setOpen(null)
  const folder = file.parent_folder
  async function removeIt() {
    const gone = await remove([item])
    if (gone) await navigate({ to: folder ? paths.folder(folder.id) : paths.folders, replace: true })
  }
  return (
    <>
      <PrintFile file={file} />
      <AddToQueue file={file} />
      <Download file={file} />
      <Menu position="bottom-end" width={200}>
        <Menu.Target>
          <ActionIcon variant="default" size="lg" aria-label={t('actions.more')}>
            <IconDots size={18} stroke={1.75} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={17} stroke={1.75} />} onClick={() => setOpen('rename')}>
            {t('actions.rename')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconFolderSymlink size={17} stroke={1.75} />}
            onClick={() => setOpen('move')}
          >
            {t('actions.move')}
          </Menu.Item>
          <Menu.Item
            color="bad"
            leftSection={<IconTrash size={17} stroke={1.75} />}
            onClick={() => void removeIt()}
          >
            {t('actions.delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {open === 'rename' && <RenameDialog item={item} onClose={close} />}
      {open === 'move' && <MoveDialog items={[item]} from={folder?.id ?? null} onClose={close} />}
    </>
  )
}

function Download({ file: { url, safe_filename: name } }: { file: StoredFile }) {
  const { t } = useTranslation('gcode-files')
  return (
    url && (
      <Button component="a" href={url} download={name} leftSection={<IconDownload size={17} stroke={1.75} />}>
        {t('actions.download')}
      </Button>
    )
  )
}
