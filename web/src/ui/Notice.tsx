import { Box, Button, Flex, Stack } from '@mantine/core'
import { IconCloudOff, IconInbox } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from '../lib/translation.ts'
import type { Problem } from '../lib/errors.ts'
import shared from './shared.module.css'
import styles from './Notice.module.css'

interface NoticeProps {
  title: ReactNode
  children?: ReactNode
  actions?: ReactNode
  picture?: ReactNode
  /** It is the page itself, not a part of one. */
  whole?: boolean
}

/** What stands where content would: nothing yet, nothing found, or it failed. */
export function Notice({ title, children, actions, picture, whole }: NoticeProps) {
  const Heading = whole ? 'h1' : 'h2'
  return (
    <Stack
      gap={8}
      align="center"
      ta="center"
      p="64px 20px"
      maw={480}
      m="0 auto"
      style={{ textWrap: 'balance' }}
    >
      <Box c="var(--v-faint)" mb={8} aria-hidden>
        {picture ?? <IconInbox size={40} stroke={1.25} />}
      </Box>
      <Heading className={styles.title}>{title}</Heading>
      {children && <div className={shared.soft}>{children}</div>}
      {actions && (
        <Flex wrap="wrap" justify="center" gap={10} mt={12}>
          {actions}
        </Flex>
      )}
    </Stack>
  )
}

/** Up to so many seconds are named; more are minutes. */
const SECONDS_MOST = 90

/** A sentence for a problem that belongs to no field. */
export function useProblemText(): (problem: Problem) => string {
  const { t } = useTranslation('common')
  const throttled = (seconds: number) =>
    seconds <= SECONDS_MOST
      ? t('problem.throttled', { seconds })
      : t('problem.throttledMinutes', { minutes: Math.ceil(seconds / 60) })
  return (problem) => {
    if (problem.kind === 'offline') return t('problem.offline')
    if (problem.kind === 'throttled') return throttled(problem.retryAfterS)
    if (problem.kind === 'missing') return t('problem.missing')
    if (problem.kind === 'forbidden') return problem.detail ?? t('problem.forbidden')
    if (problem.kind === 'fields')
      return problem.general ?? (Object.values(problem.fields).join(' ') || t('problem.server'))
    return problem.detail ?? t('problem.server')
  }
}

interface FailedProps {
  title: string
  problem: Problem
  onRetry: () => void
  whole?: boolean
}

/** The failed state of a whole page or list, with the way back. */
export function Failed({ title, problem, onRetry, whole }: FailedProps) {
  const { t } = useTranslation('common')
  const text = useProblemText()
  return (
    <Notice
      whole={whole ?? false}
      picture={<IconCloudOff size={40} stroke={1.25} />}
      title={title}
      actions={<Button onClick={onRetry}>{t('tryAgain')}</Button>}
    >
      <p role="alert">{text(problem)}</p>
    </Notice>
  )
}
