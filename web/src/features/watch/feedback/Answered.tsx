import { Box, Button } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from '../../../lib/translation.ts'
import { paths } from '../../../lib/paths.ts'
import { useBootstrap } from '../../../lib/session.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import styles from './Feedback.module.css'
import { useHoursNote } from './useHoursNote.ts'

interface AnsweredProps {
  title: string
  /** What the last answer earned, if it did. */
  earned: string | null
  text: string
  printId: number
  onChange: () => void
}

/** The end: thanks, what was earned, and the ways on. */
export function Answered({ title, earned, text, printId, onChange }: AnsweredProps) {
  const { t } = useTranslation('feedback')
  const { settings } = useBootstrap()
  const hoursNote = useHoursNote()
  return (
    <Panel>
      <Notice
        picture={<IconCircleCheck size={44} stroke={1.25} className={styles.tick} />}
        title={title}
        actions={
          <>
            <Button onClick={onChange}>{t('changeAnswers')}</Button>
            <Button component={Link} to={paths.print(printId)}>
              {t('toPrint')}
            </Button>
            {earned && settings.IS_ENT && (
              <Button component={Link} to={paths.hours}>
                {t('toHours')}
              </Button>
            )}
          </>
        }
      >
        {earned && (
          <Box component="p" role="status" mb={8} fw={600} c="var(--v-ink)">
            {earned} {hoursNote}
          </Box>
        )}
        <p>{text}</p>
      </Notice>
    </Panel>
  )
}
