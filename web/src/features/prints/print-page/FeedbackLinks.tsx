import { Button } from '@mantine/core'
import type { Print } from '@vigil/contract/prints/prints.ts'
import { IconChecklist, IconStack2 } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useBootstrap } from '../../../lib/session.ts'
import { paths } from '../../../lib/paths.ts'
import { Panel } from '../../../ui/Panel.tsx'
import styles from './PrintPage.module.css'

/** Where an owner can say more: about single pictures, and about the first layer. */
export function FeedbackLinks({ print }: { print: Print }) {
  const { t } = useTranslation('print-page')
  const { settings } = useBootstrap()
  const shots = print.printshotfeedback_set
  const hasLayers = print.firstlayerinspection_set.some(({ images }) => images.length > 0)
  if (shots.length === 0 && !hasLayers) return null
  const open = shots.filter(({ answered_at }) => answered_at === null).length
  return (
    <Panel title={t('feedback.title')}>
      {shots.length > 0 && (
        <p className={styles.quiet}>
          {t(open > 0 ? 'feedback.shots' : 'feedback.shotsDone', { count: open })}
          {open > 0 && settings.IS_ENT && ` ${t('feedback.shotsEarn')}`}
        </p>
      )}
      <div className={styles.links}>
        {shots.length > 0 && (
          <Button
            leftSection={<IconChecklist size={17} stroke={1.75} />}
            renderRoot={(props) => <Link {...props} to={paths.shotFeedback(print.id)} />}
          >
            {t('feedback.shotsAction')}
          </Button>
        )}
        {hasLayers && (
          <Button
            leftSection={<IconStack2 size={17} stroke={1.75} />}
            renderRoot={(props) => (
              <Link {...props} to={paths.firstLayerSurvey} search={{ print_id: String(print.id) }} />
            )}
          >
            {t('feedback.layerAction')}
          </Button>
        )}
      </div>
    </Panel>
  )
}
