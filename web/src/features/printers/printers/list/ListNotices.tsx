import { Alert, Anchor, Box, Button, Group, Skeleton, Stack } from '@mantine/core'
import { IconArchive, IconBellOff, IconCamera, IconFilterOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '../../../../lib/translation.ts'
import { paths } from '../../../../lib/paths.ts'
import { reachQuery } from '../../../../printer/reach.api.ts'
import { useStoredChoice } from '../../../../lib/stored.ts'
import { Notice } from '../../../../ui/Notice.tsx'
import { PageHeader } from '../../../../ui/PageHeader.tsx'
import styles from './PrinterListScreen.module.css'

/** Tiles of the size of tiles. */
export function TileSkeletons() {
  const { t } = useTranslation('common')
  return (
    <div className={styles.tiles} role="status" aria-busy="true" aria-label={t('loading')}>
      {Array.from({ length: 12 }, (_, at) => (
        <Box key={at} h={98} bg="var(--v-surface)" bd="1px solid var(--v-line)" bdrs={10} />
      ))}
    </div>
  )
}

/** Cards of the size of cards, so that nothing jumps. */
export function CardSkeletons() {
  const { t } = useTranslation('common')
  return (
    <div className={styles.grid} role="status" aria-busy="true" aria-label={t('loading')}>
      {[0, 1, 2].map((at) => (
        <div key={at} className={styles.skeleton}>
          <div className={styles.skeletonPicture} />
          <Stack gap={12} p={16}>
            <Skeleton height={16} width="45%" />
            <Skeleton height={6} />
            <Skeleton height={14} width="70%" />
            <Skeleton height={14} width="60%" />
          </Stack>
        </div>
      ))}
    </div>
  )
}

/** The first sight of a new account: one way on. */
export function NoPrinters({ archived }: { archived: number }) {
  const { t } = useTranslation('printers')
  return (
    <>
      <PageHeader title={t('list.title')} />
      <ArchivedNotice count={archived} />
      <Notice
        picture={<IconCamera size={44} stroke={1.25} />}
        title={t('list.emptyTitle')}
        actions={
          <Button variant="filled" renderRoot={(props) => <Link {...props} to={paths.wizard} />}>
            {t('list.emptyAction')}
          </Button>
        }
      >
        {t('list.emptyText')}
      </Notice>
    </>
  )
}

export function NothingPasses({ onReset }: { onReset: () => void }) {
  const { t } = useTranslation('printers')
  return (
    <Notice
      picture={<IconFilterOff size={36} stroke={1.25} />}
      title={t('list.nothingTitle')}
      actions={<Button onClick={onReset}>{t('list.showAll')}</Button>}
    />
  )
}

/** How many rows the filter hides, and the way to see them. */
export function HiddenNotice({ count, onReset }: { count: number; onReset: () => void }) {
  const { t } = useTranslation('printers')
  return (
    <p className={styles.hidden} role="status">
      {t('list.hidden', { count })}{' '}
      <button type="button" onClick={onReset}>
        {t('list.showAll')}
      </button>
    </p>
  )
}

/** Archived printers are not in the list: said until it is not to be said again. */
export function ArchivedNotice({ count }: { count: number }) {
  const { t } = useTranslation('grid')
  const [never, setNever] = useStoredChoice('shouldNeverShowArchived', ['true', 'false'], 'false')
  if (count === 0 || never === 'true') return null
  return (
    <Alert color="accent" icon={<IconArchive size={18} stroke={1.75} />} mb={14}>
      <Group gap="0 16px" justify="space-between" mih={32}>
        <span>
          {t('archived.text', { count })}{' '}
          <Anchor c="inherit" inherit renderRoot={(props) => <Link {...props} to={paths.archived} />}>
            {t('archived.see')}
          </Anchor>
        </span>
        <button type="button" className={styles.plain} onClick={() => setNever('true')}>
          {t('archived.never')}
        </button>
      </Group>
    </Alert>
  )
}

/** Nobody would hear of a failure: said once for the account, as it is the same for all its printers. */
export function ReachNotice() {
  const { t } = useTranslation('notifications')
  const { data } = useQuery(reachQuery)
  if (data === undefined || data.reach === 'works') return null
  return (
    <Alert
      color={data.reach === 'unproven' ? 'accent' : 'warn'}
      icon={<IconBellOff size={18} stroke={1.75} />}
      mb={14}
    >
      {t(`reach.${data.reach}`)}{' '}
      <Anchor c="inherit" inherit renderRoot={(props) => <Link {...props} to={paths.notifications} />}>
        {t('reach.mend')}
      </Anchor>
    </Alert>
  )
}
