import { IconCircleCheck } from '@tabler/icons-react'
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '../../../lib/translation.ts'
import { paths } from '../../../lib/paths.ts'
import { useTitle } from '../../../lib/title.ts'
import { AskFrame } from './AskFrame.tsx'
import styles from './Ask.module.css'

/** Where an app that names no place of its own reads its endpoint from the address; people have nothing to do here. */
export default function SucceededScreen() {
  const { t } = useTranslation('tunnels')
  useTitle(t('ask.done'))
  return (
    <AskFrame title={t('ask.done')}>
      <p className={styles.tick}>
        <IconCircleCheck size={28} stroke={1.75} aria-hidden />
        {t('ask.doneText')}
      </p>
      <p className={styles.ways}>
        <Anchor renderRoot={(props) => <Link {...props} to={paths.apps} />}>{t('ask.manage')}</Anchor>
      </p>
    </AskFrame>
  )
}
