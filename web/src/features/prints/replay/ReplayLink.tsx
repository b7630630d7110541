import { Button } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '../../../lib/translation.ts'
import { paths } from '../../../lib/paths.ts'
import { Panel } from '../../../ui/Panel.tsx'
import styles from './Replay.module.css'

/** The way from a print that is over to its replay. */
export function ReplayLink({ printId }: { printId: number }) {
  const { t } = useTranslation('replay')
  return (
    <Panel title={t('title')}>
      <p className={styles.lead}>{t('link.lead')}</p>
      <Button
        leftSection={<IconAdjustmentsHorizontal size={17} stroke={1.75} />}
        renderRoot={(props) => <Link {...props} to={paths.replay(printId)} />}
      >
        {t('link.button')}
      </Button>
    </Panel>
  )
}
